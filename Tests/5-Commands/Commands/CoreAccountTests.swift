import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Accounts that the app's own core made, through every operation of the built program: what was in them before is in them
/// afterwards, as SQLCipher's shell and other readers of zip files tell.
@Suite(.enabled(if: Program.tool("sqlcipher") != nil, "needs Scripts/setup.sh --with-test-tools"))
struct CoreAccountTests {
    private let fileSystem = FileSystem()

    // MARK: Reading

    @Test(arguments: CoreAccount.allCases)
    func `they are whole by every command that looks`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core)
        let verify = try world.json(
            world.valise("archive", "verify", core.archive, "--require-verified", "--json"))
        #expect(verify["verdict"] as? String == "good", "\(verify)")
        let status = try world.json(world.valise("account", "status", world.account, "--json"))
        for (name, count) in [("chat", core.migrations.chat), ("agent", core.migrations.agent)] {
            let database = try #require(status[name] as? [String: Any])
            let schema = try #require(database["schema"] as? [String: Any])
            #expect(schema["origin"] as? String == "official" && schema["applied"] as? Int == count)
            #expect(database["access"] as? String == (core.passphrase == nil ? "notNeeded" : "opened"))
        }
        #expect(try world.valise("account", "check", world.account).status == 0)
        #expect(try world.valise("account", "check", core.archive).status == 0)
        let audit = try world.json(world.valise("media", "audit", world.account, "--json"))
        #expect(audit["references"] as? Int == 9, "\(audit)")
        #expect(try world.complaints(core.passphrase) == [])
        let count = try world.valise(
            "account", "sql", world.account, "SELECT count(*) AS n FROM chat_items", "--json")
        #expect(count.output.contains("\"n\":\(core.messages)}"), "\(count.output)")
        // An import has changed nothing, and so has looking.
        #expect(try world.valise("archive", "diff", core.archive, world.account, "--exit-code").status == 0)
    }

    @Test(arguments: CoreAccount.allCases)
    func `exported and imported again, they have the same bytes`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core, rawKey: true)
        let exported = try world.json(
            world.valise("archive", "export", world.account, world.archive, "--json"))
        #expect(exported["entries"] as? Int == 11, "\(exported)")
        if let unzip = Program.tool("unzip") {
            #expect(try Program.run(unzip, ["-tqq", world.archive]).status == 0)
        }
        let copy = world.path("copy")
        #expect(try world.valise("archive", "import", world.archive, copy).status == 0)
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            let files = try [world.account, copy].map {
                try fileSystem.contents(of: FilePath($0).appending(name), limit: 1 << 26)
            }
            #expect(files[0] == files[1])
        }
        #expect(try world.media() == world.media(in: copy))
        let piped = try Program.run(
            "/bin/sh",
            [
                "-c", "\"$1\" archive export \"$2\" - --quiet | \"$1\" archive import - \"$3\" --quiet", "sh",
                Program.valise, world.account, world.path("piped"),
            ], environment: ["HOME": world.folder.path.string])
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(
            try world.valise("archive", "diff", world.account, world.path("piped"), "--exit-code").status == 0
        )
    }

    @Test(arguments: CoreAccount.allCases)
    func `a difference of one message is found`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core, rawKey: true)
        _ = try world.sqlcipher(
            "chat", world.passphrase,
            "UPDATE chat_items SET item_text = 'changed' WHERE chat_item_id = (SELECT min(chat_item_id) FROM chat_items)"
        )
        let diff = try world.valise("archive", "diff", world.source, world.account, "--exit-code")
        #expect(
            diff.status == 20 && diff.output.contains("chat_items: \(core.messages) rows"), "\(diff.output)")
    }

    // MARK: Changing

    @Test(arguments: CoreAccount.allCases)
    func `another passphrase, none, and the first one again keep every row`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core)
        let before = try world.content(core.passphrase)
        let new = ["--new-passphrase-file", world.path("other")]
        let changed = try world.valise(["key", "change", world.account] + new, world.key)
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try world.content(world.otherPassphrase) == before)
        #expect(try world.complaints(world.otherPassphrase) == [])
        #expect(try world.valise(["account", "check", world.account], world.otherKey).status == 0)
        if core.passphrase != nil { #expect(try world.valise("key", "verify", world.account).status == 12) }

        let removed = try world.valise(
            ["key", "change", world.account, "--decrypt", "--yes"], world.otherKey)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try world.content(nil) == before)
        #expect(try world.complaints(nil) == [])
    }

    @Test(arguments: CoreAccount.allCases)
    func `compaction keeps every row`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core, rawKey: true)
        _ = try world.sqlcipher(
            "chat", world.passphrase,
            "CREATE TABLE filler(t); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
                + "INSERT INTO filler SELECT hex(randomblob(2000)) FROM n; DROP TABLE filler")
        let before = try world.content(world.passphrase)
        let compacted = try world.json(world.valise("account", "compact", world.account, "--json"))
        #expect(!compacted.isEmpty)
        #expect(try world.content(world.passphrase) == before)
        #expect(try world.complaints(world.passphrase) == [])
        #expect(try world.sqlcipher("chat", world.passphrase, "PRAGMA freelist_count") == "0\n")
        #expect(try world.valise("account", "check", world.account).status == 0)
    }

    @Test(arguments: CoreAccount.allCases)
    func `media are encrypted, decrypted and exported with the content that they had`(_ core: CoreAccount)
        throws
    {
        let world = try CoreWorld(core, rawKey: true)
        let contents = try world.decryptedMedia(from: world.source, world.key)
        #expect(contents.count == 9)
        let encrypted = try world.valise("media", "encrypt", world.account)
        #expect(encrypted.status == 0, "\(encrypted.errors)")
        let inner = try world.media()
        #expect(inner.count == 9 && inner.allSatisfy { contents[$0.key] != $0.value })
        #expect(try world.valise("media", "audit", world.account).status == 0)
        #expect(try world.valise("archive", "export", world.account, world.archive).status == 0)
        #expect(try world.decryptedMedia(from: world.archive, world.key) == contents)

        let out = FilePath(world.path("out"))
        #expect(try world.valise("media", "export", world.account, out.string).status == 0)
        let copies = try TemporaryFolder.contents(of: out).filter { !$0.key.hasSuffix("manifest.jsonl") }
        let written = Set(copies.values.compactMap { $0 })
        #expect(Set(contents.values.compactMap { $0 }) == written)

        let decrypted = try world.valise("media", "decrypt", world.account)
        #expect(decrypted.status == 0, "\(decrypted.errors)")
        #expect(try world.media() == contents)
        #expect(try world.complaints(world.passphrase) == [])
        #expect(try world.valise("account", "check", world.account).status == 0)
    }

    // MARK: Damage

    @Test(arguments: CoreAccount.allCases)
    func `of a damaged database everything outside of the damage is salvaged`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core, rawKey: true)
        let chat = FilePath(world.account).appending("simplex_v1_chat.db")
        var bytes = try fileSystem.contents(of: chat, limit: 1 << 26)
        // One page in the middle of the file.
        let page = bytes.count / 4096 / 2
        for offset in 0..<4096 { bytes[page * 4096 + offset] ^= 0xa5 }
        try fileSystem.replace(chat, with: bytes)
        let before = try world.valise("account", "check", world.account)
        #expect(before.status == 13, "\(before.output)\(before.errors)")

        let saved = world.path("saved")
        let salvaged = try world.valise("account", "salvage", world.account, saved, "--json")
        #expect([0, 3].contains(salvaged.status), "\(salvaged.errors)")
        #expect(try world.complaints(in: saved, world.passphrase) == [])
        #expect(try world.valise("account", "check", saved).status == 0)
        // A page holds some of the rows of one table.
        let messages = try world.sqlcipher(
            "chat", in: saved, world.passphrase, "SELECT count(*) FROM chat_items")
        #expect((Int(messages.dropLast()) ?? 0) >= core.messages - 40, "\(messages)")
        #expect(
            try world.dump("agent", in: saved, world.passphrase) == world.dump("agent", world.passphrase))
        #expect(try world.media(in: saved) == world.media())
    }

    @Test(arguments: CoreAccount.allCases)
    func `of a broken archive what is whole is salvaged`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core)
        let whole = try fileSystem.contents(of: FilePath(core.archive), limit: 1 << 26)
        // The directory is at the end.
        let broken = FilePath(world.path("broken.zip"))
        try fileSystem.replace(broken, with: Array(whole.dropLast(900)))
        #expect(try world.valise("archive", "verify", broken.string).status == 13)
        #expect(try world.valise("archive", "import", broken.string, world.path("no")).status == 13)
        let salvaged = try world.valise("archive", "salvage", broken.string, world.archive)
        #expect([0, 3].contains(salvaged.status), "\(salvaged.errors)")
        let copy = world.path("copy")
        let imported = try world.valise("archive", "import", world.archive, copy)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try world.content(of: copy, core.passphrase) == world.content(core.passphrase))
        let media = try world.media(in: copy)
        let all = try world.media()
        #expect(media.count >= 8 && media.allSatisfy { all[$0.key] == $0.value })
    }

    // MARK: Moving

    @Test(arguments: [CoreAccount.alice, .older])
    func `they move over a relay and by a file`(_ core: CoreAccount) throws {
        let world = try CoreWorld(core)
        let content = try world.content(core.passphrase)
        let relay = try TestRelay(world.folder.appending("relay"))
        let key = world.folder.appending("key")
        let machines = try ["old", "new", "third"].map { try MoveMachine(world.folder.appending($0), key) }
        let (old, new, third) = (machines[0], machines[1], machines[2])
        try fileSystem.rename(FilePath(world.account), to: old.account)
        let sending = ["move", "send", old.account.string, "--server", relay.address, "--yes", "--no-qr"]
        let sent = try old.run(sending + old.passphrase)
        #expect(sent.status == 0, "\(sent.errors)")
        let receiving = ["move", "receive", "-", new.account.string, "--yes", "--approve-relays"]
        let received = try new.run(receiving + new.passphrase, input: sent.output)
        #expect(received.status == 0 && received.words == sent.words, "\(received.errors)")
        let finished = try old.run(["move", "finish", old.account.string, "--words", received.words])
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(try world.content(of: new.account.string, core.passphrase) == content)
        #expect(try world.complaints(in: new.account.string, core.passphrase) == [])

        let stick = world.path("stick.zip")
        let written = try new.run(
            ["move", "send", new.account.string, "--to", stick, "--yes"] + new.passphrase)
        #expect(written.status == 0, "\(written.errors)")
        let read = try third.run(
            ["move", "receive", stick, third.account.string, "--yes"] + third.passphrase)
        #expect(read.status == 0 && read.words == written.words, "\(read.errors)")
        #expect(try world.content(of: third.account.string, core.passphrase) == content)
        #expect(try world.media(in: third.account.string).count == 9)
    }
}
