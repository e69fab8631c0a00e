import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise file …`.
struct FileCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    /// Of the format's description, for the text `hello world`.
    private static let key =
        #"{"fileKey":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","fileNonce":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"}"#
    private static let sealedHello: [UInt8] = [
        0x03, 0xeb, 0xb0, 0xdc, 0xaf, 0x3e, 0xc7, 0x2c, 0x98, 0x73, 0x6b, 0xa4, 0x09, 0xad, 0x94, 0x61, 0x8c,
        0x6f, 0x7e, 0xd8, 0x27, 0x79, 0xcb, 0x45, 0x56, 0xed, 0x1c,
    ]

    init() throws {
        folder = try TemporaryFolder()
        try write(content, "plain")
    }

    private func path(_ name: String) -> String { folder.appending(name).string }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try fileSystem.replace(folder.appending(name), with: bytes)
    }

    private func read(_ name: String) throws -> [UInt8] {
        try fileSystem.contents(of: folder.appending(name), limit: 1 << 30)
    }

    private func names() throws -> [String] { try fileSystem.list(folder.path).compactMap(\.name) }

    private func file(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["file"] + arguments)
    }

    /// In the folder, with `$V` for the command.
    private func shell(_ script: String) throws -> Program.Outcome {
        try Program.run(
            "/bin/sh", ["-c", "cd '\(folder.path)' && \(script)"],
            environment: ["V": "\(Program.valise) file"])
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    // MARK: There and back

    @Test func `encrypted beside its key, proved and decrypted`() throws {
        let encrypted = try json(try file("encrypt", path("plain"), path("e"), "--json"))
        #expect(encrypted["type"] as? String == "fileEncrypted")
        #expect(encrypted["size"] as? Int == content.count)
        #expect(encrypted["keyFile"] as? String == path("e.key.json"))
        #expect(try fileSystem.attributes(of: folder.appending("e.key.json"))?.permissions == .ownerReadWrite)
        let sidecar = try #require(
            try JSONSerialization.jsonObject(with: Data(read("e.key.json"))) as? [String: Any])
        #expect(sidecar["filePath"] as? String == "e")
        let args = try #require(sidecar["cryptoArgs"] as? [String: String])
        #expect(args["fileKey"]?.count == 44 && args["fileNonce"]?.count == 32)
        #expect(try read("e").count == content.count + 16)

        let verified = try file("verify", path("e"), "--no-input")
        #expect(verified.status == 0 && verified.output.contains("intact"))
        let decrypted = try json(try file("decrypt", path("e"), path("d"), "--json"))
        #expect(decrypted["type"] as? String == "fileDecrypted")
        #expect(try read("d") == content)
        #expect(try names() == ["d", "e", "e.key.json", "plain"])
    }

    @Test func `the described vector, under a given key`() throws {
        try write(Array("hello world".utf8), "hello")
        try write(Array(Self.key.utf8), "key")
        #expect(try file("encrypt", path("hello"), path("e"), "--key-file", path("key")).status == 0)
        #expect(try read("e") == Self.sealedHello)
        #expect(try shell("$V encrypt - f --key-fd 3 < hello 3< key").status == 0)
        #expect(try read("f") == Self.sealedHello)
        #expect(try shell("$V decrypt e - --key-fd 3 3< key").output == "hello world")
        #expect(try names() == ["e", "f", "hello", "key", "plain"])
    }

    @Test func `pipes of every kind`() throws {
        for script in [
            "cat plain | $V encrypt - e && cat e | $V decrypt - d --key-file e.key.json",
            "$V encrypt - e < plain && $V decrypt - - --key-file e.key.json < e > d",
            "$V encrypt plain - --key-output e.key.json > e && $V decrypt e - > d",
            // The key is there before the first byte, but not before the other program starts.
            "cat plain | $V encrypt - - --key-output k | { i=0; until test -e k || test $i = 500; "
                + "do sleep 0.02; i=$((i + 1)); done; $V decrypt - - --key-file k --unverified > d; }",
            "ln -s plain link && $V encrypt link e && ln -s e link2 && "
                + "$V decrypt link2 d --key-file e.key.json && rm link link2",
            "$V encrypt plain e && { head -c 10 > d; $V encrypt - f; } < plain && $V decrypt f - >> d",
        ] {
            let outcome = try shell(script)
            #expect(outcome.status == 0, "\(script): \(outcome.errors)")
            #expect(try read("d") == content, "\(script)")
            #expect(try names().allSatisfy { !$0.hasSuffix("partial") })
            for name in try names() where name != "plain" { try fileSystem.remove(folder.appending(name)) }
        }
    }

    // MARK: Refusals

    @Test func `a pipe to a pipe is not decrypted without being told so`() throws {
        #expect(try file("encrypt", path("plain"), path("e")).status == 0)
        let refused = try shell("cat e | $V decrypt - - --key-file e.key.json")
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(refused.errors.contains("--unverified"))
        #expect(try file("decrypt", path("e"), path("d"), "--unverified").status == 64)
    }

    @Test func `a changed file gives status 13, and not one byte of it`() throws {
        #expect(try file("encrypt", path("plain"), path("e")).status == 0)
        var bytes = try read("e")
        bytes[bytes.count - 20] ^= 1
        try write(bytes, "e")
        #expect(try file("verify", path("e")).status == 13)
        #expect(try file("decrypt", path("e"), path("d")).status == 13)
        #expect(try shell("cat e | $V decrypt - d --key-file e.key.json").status == 13)
        let printed = try file("decrypt", path("e"), "-")
        #expect(printed.status == 13 && printed.output.isEmpty)
        let streamed = try shell(
            "{ cat e | $V decrypt - - --key-file e.key.json --unverified; echo $? >&2; } | wc -c")
        #expect(streamed.output.contains("700000"))
        #expect(streamed.errors.contains("do not trust the output") && streamed.errors.hasSuffix("13\n"))
        #expect(try names() == ["e", "e.key.json", "plain"])
    }

    @Test func `nothing is replaced unasked, and a key never`() throws {
        #expect(try file("encrypt", path("plain"), path("e")).status == 0)
        let (encrypted, key) = (try read("e"), try read("e.key.json"))
        #expect(try file("encrypt", path("plain"), path("e")).status == 1)
        #expect(
            try file("encrypt", path("plain"), path("f"), "--key-output", path("e.key.json")).status == 1)
        #expect(try file("encrypt", path("plain"), path("e"), "--force").status == 64)
        #expect(try file("decrypt", path("e"), path("plain")).status == 1)
        #expect(try file("decrypt", path("e"), path("e"), "--force").status == 64)
        #expect(try shell("$V decrypt e - >> e").status == 64)
        #expect(try read("e") == encrypted && (try read("e.key.json")) == key)
        try write([1], "old")
        #expect(try file("decrypt", path("e"), path("old"), "--force").status == 0)
        #expect(try read("old") == content)
    }

    @Test func `the key that is read is never written over`() throws {
        try write(Array("hello world".utf8), "hello")
        try write(Self.sealedHello, "e")
        try write(Array(Self.key.utf8), "kf")
        try write(Array(Self.key.utf8), "e.key.json")
        let before = try names()
        for script in [
            "$V decrypt e e.key.json --force", "$V decrypt e ./e.key.json --force",
            "$V decrypt e kf --key-file kf --force", "$V decrypt e ../${PWD##*/}/kf --key-file kf --force",
            "$V decrypt e link --key-file kf --force", "$V decrypt e kf --key-file link --force",
            "$V decrypt e alias --key-file kf --force", "$V decrypt e kf --key-fd 3 --force 3< kf",
            "$V decrypt e - --key-file kf >> kf", "$V decrypt e - >> e.key.json",
            "mv kf o.partial; $V decrypt e o --key-file o.partial; S=$?; mv o.partial kf; (exit $S)",
            "mv kf o.partial; $V encrypt hello o --key-file o.partial; S=$?; mv o.partial kf; (exit $S)",
            "mv kf o.partial; $V encrypt hello f --key-file o.partial --key-output o; S=$?; "
                + "mv o.partial kf; (exit $S)",
            "$V encrypt hello - --key-file kf >> kf",
        ] {
            // A second name of the key would by itself keep a `.partial` from being taken over.
            let outcome = try shell(
                "ln -s kf link && ln kf alias && if echo '\(script)' | grep -q partial; "
                    + "then rm alias; fi; \(script)")
            // Nothing takes the place of a link, whatever it leads to.
            let isLink = script.contains("decrypt e link")
            #expect(outcome.status == (isLink ? 14 : 64), "\(script): \(outcome.errors)")
            #expect(outcome.errors.contains(isLink ? "link" : "key"), "\(script): \(outcome.errors)")
            #expect(try read("kf") == Array(Self.key.utf8), "\(script)")
            #expect(try read("e.key.json") == Array(Self.key.utf8), "\(script)")
            for name in ["link", "alias"] where try names().contains(name) {
                try fileSystem.remove(folder.appending(name))
            }
            #expect(try names() == before, "\(script)")
        }
    }

    @Test func `arguments that make no sense together`() throws {
        #expect(try file("encrypt", path("plain"), "-").status == 64)
        #expect(try file("encrypt", path("plain"), "-", "--key-output", path("k"), "--json").status == 64)
        #expect(try file("encrypt", path("plain")).status == 64)
        #expect(try file("verify", "a", "b", "--key-file", "k").status == 64)
        #expect(try file("verify", "a", "--key-file", "k", "--key-fd", "3").status == 64)
        #expect(try file("encrypt", path("no"), path("e")).status == 10)
        #expect(try file("encrypt", path("plain"), path("no/e")).status == 10)
        #expect(try file("encrypt", folder.path.string, path("e")).status == 14)
        #expect(try file("decrypt", path("plain"), path("d"), "--no-input").status == 64)
        #expect(try names() == ["plain"])
    }

    @Test func `a key that others can read, or that is none, is refused`() throws {
        #expect(try file("encrypt", path("plain"), path("e")).status == 0)
        let sidecar = folder.appending("e.key.json")
        try fileSystem.setPermissions([.ownerReadWrite, .groupRead], of: sidecar)
        let open = try file("decrypt", path("e"), path("d"))
        #expect(open.status == 1 && open.errors.contains("run: chmod 600 \(sidecar)\n"))
        #expect(!open.errors.contains("passphrase"))
        let verified = try file("verify", path("e"))
        #expect(verified.status == 1, "\(verified.output)")
        #expect(verified.output.contains("\n  hint: to keep other users out, run: chmod 600 \(sidecar)\n"))
        try write(Array("{\"fileKey\":".utf8), "e.key.json")
        let broken = try file("decrypt", path("e"), path("d"))
        #expect(broken.status == 64 && broken.errors.contains("e.key.json"))
        #expect(try !names().contains("d"))
    }

    @Test func `several files are proved, each with its key, and told one by one`() throws {
        for name in ["a", "b", "c"] { #expect(try file("encrypt", path("plain"), path(name)).status == 0) }
        try write([1, 2, 3], "b")
        func verify(_ names: String...) throws -> Program.Outcome {
            try Program.run(Program.valise, ["file", "verify", "--no-input"] + names.map(path))
        }
        #expect(try verify("a", "c").status == 0)
        #expect(try verify("a", "no", "c").status == 10)
        let outcome = try verify("no", "a", "b", "plain", "c")
        #expect(outcome.status == 13)
        #expect(outcome.output.split(separator: "\n").count == 5)
        let report = try json(
            try Program.run(Program.valise, ["file", "verify", "--json", path("a"), path("b"), path("no")]))
        let files = try #require(report["files"] as? [[String: Any]])
        #expect(report["type"] as? String == "filesVerified")
        #expect(files.map { $0["result"] as? String } == ["ok", "damaged", "notFound"])
        #expect(files.map { $0["exitStatus"] as? Int } == [0, 13, 10])
        #expect(files[0]["size"] as? Int == content.count && files[1]["size"] == nil)
        #expect(try shell("$V verify - --key-file a.key.json < a").status == 0)
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `a key is asked for at a terminal`() throws {
        try write(Self.sealedHello, "e")
        let script = Repository.beside("Support/at-terminal.py").path
        let python = try #require(Program.tool("python3"))
        let asked = try Program.run(
            python, [script, Self.key, "--", Program.valise, "file", "decrypt", path("e"), path("d")])
        #expect(asked.status == 0, "\(asked.output)")
        #expect(!asked.output.contains("AAEC"))
        #expect(try read("d") == Array("hello world".utf8))
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `nobody is asked for a key where the output is in the way or has no folder`() throws {
        try write(Self.sealedHello, "e")
        let home = ["HOME": folder.path.string]
        let cases: [([String], Int32)] = [
            (["e", "plain"], 1), (["e", "no/d"], 10), (["e", "e", "--force"], 64),
            (["e", "-", "--json"], 64),
        ]
        for (arguments, status) in cases {
            let words = arguments.map { $0.hasPrefix("-") ? $0 : path($0) }
            let refused = try Program.atTerminal(["file", "decrypt"] + words, environment: home)
            #expect(refused.status == status, "\(arguments): \(refused.output)")
            #expect(!refused.output.contains("Key for"), "\(refused.output)")
        }
        #expect(try read("plain") == content)
    }

    // MARK: Ends

    @Test func `a reader that has seen enough is no failure`() throws {
        #expect(try file("encrypt", path("plain"), path("e")).status == 0)
        let outcome = try shell("{ $V decrypt e -; echo $? >&2; } | head -c 5 | wc -c")
        #expect(outcome.errors == "0\n" && outcome.output.contains("5"))
    }

    @Test(.enabled(if: Program.tool("timeout") != nil))
    func `an interrupt leaves nothing`() throws {
        for target in ["e", "- --key-output k > out"] {
            let outcome = try shell(
                "(cat plain; sleep 3) | timeout --preserve-status -s INT 1 $V encrypt - \(target)")
            #expect(outcome.status == 130, "\(outcome.errors)")
        }
        let left = try names()
        #expect(left == ["out", "plain"], "\(left)")
    }

    /// As `timeout` sends them: to the program, and to its process group.
    @Test func `two signals in a moment are one interrupt, and it leaves nothing`() throws {
        let outcome = try shell(
            """
            sleep 3 | { exec 3<&0; $V encrypt - - --key-output k <&3 > out & p=$!; sleep 1
            kill -TERM $p; sleep 0.02; kill -TERM $p; wait $p; echo $?; }
            """)
        #expect(outcome.output == "130\n" && outcome.errors.contains("interrupted"), "\(outcome.errors)")
        #expect(try names() == ["out", "plain"])
    }

    private static let noExclusiveRename = Preload.compile("noexclusive")

    @Test(.enabled(if: noExclusiveRename != nil), arguments: [false, true])
    func `a file system that cannot rename exclusively`(withoutLinks: Bool) throws {
        var environment = ["LD_PRELOAD": try #require(Self.noExclusiveRename)]
        if withoutLinks { environment["NO_LINKS"] = "1" }
        let arguments = ["file", "encrypt", path("plain"), path("e")]
        let outcome = try Program.run(Program.valise, arguments, environment: environment)
        if withoutLinks {
            #expect(outcome.status == 14 && outcome.errors.contains("hard links"), "\(outcome.errors)")
            return #expect(try names() == ["plain"])
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try names() == ["e", "e.key.json", "plain"])
        #expect(try file("verify", path("e"), "--no-input").status == 0)
        let again = try Program.run(
            Program.valise, ["file", "decrypt", path("e"), path("plain")], environment: environment)
        #expect(again.status == 1 && again.errors.contains("already exists"))
        #expect(try read("plain") == content)
    }

    @Test func `killed at any moment, no encrypted file is there without its key`() throws {
        let seed =
            ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...999_999)
        print("kills of file encrypt: VALISE_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        try write([UInt8](repeating: 5, count: 3_000_000), "plain")
        let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil
        var complete = 0
        for _ in 0..<(isSoak ? 500 : 25) {
            _ = try Program.run(
                Program.valise, ["file", "encrypt", path("plain"), path("e")],
                killAfter: .microseconds(Int.random(in: 0...60_000, using: &random)))
            let left = try names()
            if left.contains("e") {
                complete += 1
                #expect(try file("verify", path("e"), "--no-input").status == 0)
            } else if left == ["e.key.json", "e.partial", "plain"],
                try file("encrypt", path("plain"), path("e")).errors.contains("complete encrypted file")
            {
                try fileSystem.rename(folder.appending("e.partial"), to: folder.appending("e"))
                #expect(try file("verify", path("e"), "--no-input").status == 0)
            } else {
                let next = try file("encrypt", path("plain"), path("e"))
                #expect(next.status == 0, "\(left): \(next.errors)")
                #expect(try file("verify", path("e"), "--no-input").status == 0)
            }
            #expect(try names() == ["e", "e.key.json", "plain"])
            try fileSystem.remove(folder.appending("e"))
            try fileSystem.remove(folder.appending("e.key.json"))
        }
        print("complete: \(complete)")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil))
    func `more than 4 GiB, there and back`() throws {
        let outcome = try shell(
            """
            printf head > big && printf tail | dd of=big bs=1 seek=4400000000 conv=notrunc 2>/dev/null && \
            $V encrypt big e && $V verify e && $V decrypt e d && cmp big d && \
            $V encrypt - - --key-file e.key.json < big | cmp - e && stat -c %s e
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("4400000020\n"))
    }
}
