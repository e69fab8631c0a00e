import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseMediaRules
import ValiseSecrets

struct MediaExportTests {
    private let account: OfficialAccount
    private let fileSystem = FileSystem()

    init() throws { account = try OfficialAccount() }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: What is written

    @Test func `copies have content, names, times and modes, and the manifest tells where they came from`()
        throws
    {
        try account.add("photo.jpg", bytes("plain"))
        try account.add("Über/sicht.pdf", bytes("secret")) {
            ($0.isEncrypted, $0.chat, $0.member) = (true, .group(1), 7)
        }
        try account.add("note.txt", bytes("mine")) {
            ($0.chat, $0.isSent, $0.status) = (.notes(1), true, "snd_stored")
        }
        try account.add("none", []) { ($0.isEncrypted, $0.chat) = (true, nil) }
        let report = try account.export()
        #expect(report.copied == 4 && report.isComplete && report.copiedSize == 15)
        #expect(
            try account.exported() == [
                "me_myself/Same_/photo.jpg": bytes("plain"),
                "me_myself/_con/Über_sicht.pdf": bytes("secret"),
                "me_myself/Private notes/note.txt": bytes("mine"), "me_myself/no chat/none": [],
            ])
        try account.checkExport(rows: 4)
        let path = account.out.appending("me_myself/_con/Über_sicht.pdf")
        let found = try #require(try fileSystem.attributes(of: path))
        #expect(found.modificationTime == 1_772_360_430 && found.permissions == .ownerReadWrite)
        let folder = try fileSystem.attributes(of: path.parentFolder)
        #expect(folder?.permissions == .ownerReadWriteExecute)
        let lines = try account.manifest()
        let line = try #require(lines.first { $0.fileId == 2 })
        #expect(line.chat == "con" && line.chatKind == .group && line.sender == "Mary")
        #expect(line.name == "Über/sicht.pdf" && line.direction == .received && line.messageId == 2)
        #expect(line.time == "2026-03-01T10:20:30Z" && line.user == "me/myself" && line.kind == .file)
        #expect(lines.first { $0.fileId == 3 }?.sender == "me" && lines.first?.sender == "Same?")
    }

    @Test(
        arguments: [
            ("DELETE FROM users", 1, "user 1"), ("ALTER TABLE files DROP COLUMN user_id", nil, "no user"),
        ] as [(String, Int64?, String)])
    func `a user that the database does not have is nobody, not number 0 without a name`(
        change: String, userID: Int64?, folder: String
    ) throws {
        try account.add("a.txt", bytes("a"))
        try account.sql(change)
        try account.export()
        #expect(try account.exported() == ["\(folder)/Same_/a.txt": bytes("a")])
        let line = try #require(try account.manifest().first)
        #expect(line.user == nil && line.userId == userID)
    }

    @Test func `names and chats that any file system would take for one are numbered`() throws {
        for name in [
            "Photo.jpg", "photo.jpg", "é.txt", "e\u{301}.txt", "", "..", String(repeating: "x", count: 300),
        ] {
            try account.add(name, bytes("1 \(name)")) { $0.path = "a\(name.utf8.count) \(name.hashValue)" }
        }
        try account.add("Photo.jpg", bytes("other chat")) { $0.chat = .contact(2) }
        try account.export()
        try account.checkExport(rows: 8)
        let paths = Set(try account.manifest().map(\.path))
        #expect(
            paths.contains("me_myself/Same_/photo (2).jpg") && paths.contains("me_myself/Same_/Photo.jpg"))
        #expect(paths.contains("me_myself/same_ (2)/Photo.jpg"))
        #expect(Set(paths.map { $0.lowercased() }).count == 8)
    }

    @Test func `what is the same is stored once`() throws {
        try account.add("a.jpg", bytes("same"))
        try account.add("b.jpg", bytes("same")) { $0.isEncrypted = true }
        try account.add("a.jpg", bytes("same")) { $0.chat = .group(1) }
        let report = try account.export()
        #expect(report.copied == 1 && report.duplicates == 2)
        try account.checkExport(rows: 3)
        let first = "me_myself/Same_/a.jpg"
        #expect(try fileSystem.attributes(of: account.out.appending(first))?.links == 3)
        #expect(try account.manifest().map(\.duplicateOf) == [nil, first, first])
    }

    /// Refuses hard links, as FAT does.
    private struct NoLinks: FileInterposer {
        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            if case .create(let path) = operation, path.lastComponent?.string == "b.jpg" {
                return .fail(.notPermitted)
            }
            return .proceed
        }
    }

    @Test func `without hard links, what is the same is in the manifest only`() throws {
        try account.add("a.jpg", bytes("same"))
        try account.add("b.jpg", bytes("same"))
        try account.export(NoLinks())
        #expect(try account.exported().count == 1)
        #expect(try account.manifest().map(\.path) == Array(repeating: "me_myself/Same_/a.jpg", count: 2))
        #expect(try account.export().unchanged == 2)
        try fileSystem.remove(account.out.appending("me_myself/Same_/a.jpg"))
        try account.export()
        #expect(try account.exported().count == 2)
    }

    // MARK: What is left out

    @Test func `what is damaged, missing, foreign or of another size is told and not written`() throws {
        try account.add("good.jpg", bytes("good")) { $0.isEncrypted = true }
        try account.add("flipped.jpg", bytes("flipped")) { ($0.isEncrypted, $0.path) = (true, "flipped") }
        let flipped = account.location.filesFolder.appending("flipped")
        var content = try fileSystem.contents(of: flipped, limit: 1 << 20)
        content[3] ^= 4
        try fileSystem.replace(flipped, with: content)
        try account.add("foreign.jpg", bytes("foreign")) { $0.isEncrypted = true }
        try account.sql("UPDATE files SET file_crypto_key = zeroblob(32) WHERE file_id = 3")
        try account.add("half.jpg", bytes("half")) { $0.isEncrypted = true }
        try account.sql("UPDATE files SET file_crypto_nonce = NULL WHERE file_id = 4")
        try account.add("missing.jpg", bytes("missing")) { $0.isStored = false }
        try account.add("short.jpg", bytes("short")) { $0.size = 6 }
        try account.add("link.jpg", bytes("link")) { ($0.path, $0.isStored) = ("link", false) }
        try FileManagerLink.make(account.location.filesFolder.appending("link"), to: "good")
        try account.add("up.jpg", bytes("up")) { ($0.path, $0.isStored) = ("../up", false) }
        try account.add("coming.jpg", bytes("co")) { ($0.status, $0.size) = ("rcv_transfer 1 2", 2) }
        let outside = account.folder.appending("outside.jpg").string
        try account.add("outside.jpg", bytes("outside")) { $0.path = outside }
        let long = account.folder.appending(String(repeating: "x", count: 300)).string
        for path in [long, "/nul\u{0}", String(repeating: "y", count: 300)] {
            try account.add("bad", bytes("bad")) { ($0.path, $0.isStored) = (path, false) }
        }
        let report = try account.export()
        #expect(
            report.problemCounts == [
                "impossibleName": 1, "damaged": 2, "brokenKey": 1, "missing": 1, "wrongSize": 1, "noFile": 1,
                "elsewhere": 4,
            ])
        #expect(report.notReceived == 1 && report.copied == 1 && !report.isComplete)
        try account.checkExport(rows: 1)
        let more = try account.export { $0.includesOutside = true }
        #expect(more.problemCounts["elsewhere"] == 2 && more.problemCounts["impossibleName"] == 2)
        try account.checkExport(rows: 2)
    }

    @Test func `a large file that is damaged at its end leaves nothing`() throws {
        let content = (0..<(17 << 20)).map { UInt8(truncatingIfNeeded: $0 / 5) }
        try account.add("video.mp4", content) { ($0.isEncrypted, $0.path) = (true, "video") }
        try account.add("copy.mp4", content)
        try account.export()
        try account.checkExport(rows: 2)
        try fileSystem.removeTree(account.out)
        let path = account.location.filesFolder.appending("video")
        var stored = try fileSystem.contents(of: path, limit: 1 << 26)
        stored[stored.count - 1] ^= 1
        try fileSystem.replace(path, with: stored)
        #expect(try account.export().problemCounts == ["damaged": 1])
        try account.checkExport(rows: 1)
    }

    @Test func `a selection exports what it means`() throws {
        try account.add("a.jpg", bytes("a")) { $0.time = "2026-01-01 00:00:00" }
        try account.add("b.mp4", bytes("bb")) { $0.chat = .group(1) }
        try account.add("c.txt", bytes("ccc")) { $0.chat = .notes(1) }
        try account.export { $0.selection.chats = ["#con"] }
        #expect(try account.manifest().map(\.fileId) == [2])
        try account.export { $0.selection.kinds = [.image] }
        try account.export { $0.selection.smallest = 3 }
        #expect(try account.manifest().map(\.fileId) == [2, 1, 3])
    }

    @Test func `a dry run writes nothing`() throws {
        try account.add("a.jpg", bytes("a"))
        let report = try account.export { $0.isDryRun = true }
        #expect(report.copied == 1 && report.isDryRun)
        #expect(try !fileSystem.exists(account.out))
        try account.export()
        let before = try TemporaryFolder.contents(of: account.folder.path)
        try account.add("b.jpg", bytes("b"))
        #expect(try account.export { $0.isDryRun = true }.copied == 1)
        #expect(try TemporaryFolder.contents(of: account.out) == before.filterBelow("out/"))
    }

    // MARK: Runs after the first

    @Test func `a second run copies only what is new, and what was taken away`() throws {
        for number in 0..<20 { try account.add("f\(number).txt", bytes("content \(number)")) }
        try account.export()
        let before = try TemporaryFolder.contents(of: account.out)
        let counting = FaultPlan(.none)
        #expect(try account.export(counting).unchanged == 20)
        #expect(counting.count == 0)
        #expect(try TemporaryFolder.contents(of: account.out) == before)
        try account.add("f0.txt", bytes("new"))
        try fileSystem.remove(account.out.appending("me_myself/Same_/f5.txt"))
        let report = try account.export()
        #expect(report.copied == 2 && report.unchanged == 19)
        #expect(try account.exported()["me_myself/Same_/f0 (2).txt"] == bytes("new"))
        #expect(try account.exported().count == 21)
    }

    @Test func `what the user put there stays, and what is the same already is not stored twice`() throws {
        try account.add("a.txt", bytes("mine"))
        try account.add("b.txt", bytes("there"))
        let folder = account.out.appending("me_myself/Same_")
        try fileSystem.makeDirectories(folder)
        try fileSystem.replace(folder.appending("a.txt"), with: bytes("user"))
        try fileSystem.replace(folder.appending("b.txt"), with: bytes("there"))
        let report = try account.export()
        #expect(report.copied == 1 && report.adopted == 1)
        let files = try account.exported()
        #expect(files.count == 3 && files["me_myself/Same_/a.txt"] == bytes("user"))
        #expect(files["me_myself/Same_/a (2).txt"] == bytes("mine"))
        // A copy that the user changed is the user's; the content comes again beside it.
        try fileSystem.replace(folder.appending("b.txt"), with: bytes("changed by the user"))
        try account.export()
        #expect(try account.exported()["me_myself/Same_/b.txt"] == bytes("changed by the user"))
        #expect(try account.exported()["me_myself/Same_/b (2).txt"] == bytes("there"))
    }

    @Test func `a torn last line is cut off, and the file that it meant gets a whole one`() throws {
        for number in 0..<5 { try account.add("f\(number).txt", bytes("content \(number)")) }
        try account.export()
        let path = account.out.appending("manifest.jsonl")
        let whole = try fileSystem.contents(of: path, limit: 1 << 20)
        for length in [1, 5, whole.count / 2, whole.count - 1] {
            try fileSystem.replace(path, with: Array(whole[..<length]))
            let report = try account.export()
            #expect(report.adopted > 0 && report.copied == 0)
            try account.checkExport(rows: 5)
        }
        // Longer than what comes in its place.
        try fileSystem.replace(path, with: whole + bytes("{\"chat\":" + String(repeating: "x", count: 9000)))
        try account.add("new.txt", bytes("new"))
        try account.export()
        try account.checkExport(rows: 6)
    }

    @Test func `a file that is no manifest is not touched`() throws {
        try account.add("a.txt", bytes("a"))
        try fileSystem.makeDirectory(account.out)
        for foreign in ["{}\n", "hello", "{\"chat\":1}\nmore\n"] {
            let path = account.out.appending("manifest.jsonl")
            try fileSystem.replace(path, with: bytes(foreign))
            #expect(throws: MediaEncryptionError.self) { try account.export() }
            #expect(try fileSystem.contents(of: path, limit: 100) == bytes(foreign))
            #expect(try account.exported().isEmpty)
        }
    }

    @Test func `an account is no place for an export, and two runs do not share one`() throws {
        try account.add("a.txt", bytes("a"))
        let places = [
            account.location.directory, account.location.filesFolder, account.folder.path,
            account.location.filesFolder.appending("sub/folder"),
            account.location.directory.appending("x/.."),
        ]
        for place in places {
            let error = #expect(throws: MediaEncryptionError.self) {
                try MediaExport().run(account.location, to: place, passphrase: .empty())
            }
            #expect(error?.code == .invalid)
        }
        try fileSystem.makeDirectory(account.out)
        let lock = try DirectoryLock(account.out, .exclusive)
        let error = #expect(throws: MediaEncryptionError.self) { try account.export() }
        #expect(error?.code == .inUse)
        withExtendedLifetime(lock) {}
    }
}

extension [String: [UInt8]?] {
    fileprivate func filterBelow(_ lead: String) -> [String: [UInt8]?] {
        var found: [String: [UInt8]?] = [:]
        for (path, bytes) in self where path.hasPrefix(lead) && path != lead {
            found[String(path.dropFirst(lead.count))] = bytes
        }
        return found
    }
}
