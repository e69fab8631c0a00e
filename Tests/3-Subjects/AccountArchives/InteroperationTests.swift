import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Archives that other programs make are taken, and other programs take ours.
@Suite struct InteroperationTests {
    private static let media: [String: [UInt8]] = [
        "simplex_v1_files/Grüße 🎒.txt": Array("Übung, Übung, Übung, Übung, Übung.".utf8),
        "simplex_v1_files/empty": [],
        "simplex_v1_files/photo.jpg": (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
        "simplex_v1_files/日本語 e\u{301}.png": [1, 2, 3],
        "simplex_v1_assets/wallpapers/wall.png": [UInt8](repeating: 7, count: 5000),
    ]

    /// How the other programs are called; `a.zip` is made from the current folder.
    private static let packers: [(name: String, tool: String, arguments: [String])] = [
        ("zip", "zip", ["-qr", "../a.zip", "."]),
        ("zip without folders", "zip", ["-qrD", "../a.zip", "."]),
        ("zip with descriptors", "zip", ["-qr", "-fd", "../a.zip", "."]),
        ("zip with Zip64", "zip", ["-qr", "-fz", "../a.zip", "."]),
        ("zip, stored", "zip", ["-qr0", "../a.zip", "."]),
        ("zip, streamed", "sh", ["-c", "zip -qr - . | cat > ../a.zip"]),
        ("python, stored", "python3", ["-c", python, "0", ""]),
        ("python, deflated", "python3", ["-c", python, "8", ""]),
        ("python, deflated with Zip64", "python3", ["-c", python, "8", "64"]),
        ("python, stored with Zip64", "python3", ["-c", python, "0", "64"]),
        ("python, streamed", "python3", ["-c", python, "8", "stream"]),
        ("bsdtar", "sh", ["-c", "bsdtar -a -cf ../a.zip *"]),
        ("7z", "7z", ["a", "-tzip", "-bd", "../a.zip", "."]),
        ("7z, stored", "7z", ["a", "-tzip", "-mx0", "-bd", "../a.zip", "."]),
    ]

    private static let python = """
        import os, sys, zipfile
        class Stream:
            def __init__(self, f): self.f = f
            def write(self, b): return self.f.write(b)
            def flush(self): self.f.flush()
        f = open('../a.zip', 'wb')
        method, how = int(sys.argv[1]), sys.argv[2]
        with zipfile.ZipFile(Stream(f) if how == 'stream' else f, 'w', method) as z:
            for folder, _, names in os.walk('.'):
                for name in sorted(names):
                    path = os.path.join(folder, name)[2:]
                    with z.open(zipfile.ZipInfo(path), 'w', force_zip64=how == '64') as out:
                        out.write(open(path, 'rb').read())
        f.close()
        """

    private func contents() throws -> [String: [UInt8]] {
        var files = Self.media
        for (database, bytes) in try Sample.databases { files[database.archiveName] = bytes }
        return files
    }

    private func files(_ snapshot: [String: [UInt8]]) -> [String: [UInt8]] {
        snapshot.filter { !$0.key.hasSuffix("/") }
    }

    /// By bytes: as text, two normal forms of one name are equal.
    private func names(_ files: [String: [UInt8]]) -> Set<[UInt8]> { Set(files.keys.map { Array($0.utf8) }) }

    @Test(arguments: packers.map(\.name))
    func imports(_ name: String) throws {
        let packer = try #require(Self.packers.first { $0.name == name })
        let program = name.split(whereSeparator: { !$0.isLetter && !$0.isNumber })[0]
        let real = program == "python" ? "python3" : String(program)
        guard let tool = OtherProgram(packer.tool), OtherProgram.isThere(real) else {
            print("\(real) is not installed: \(name) is not tested")
            return
        }
        let sandbox = try Sandbox()
        let contents = try contents()
        for (path, bytes) in contents { try sandbox.write(bytes, to: "in/\(path)") }
        let (status, output) = try tool.run(packer.arguments, in: sandbox.path("in").string)
        try #require(status == 0, "\(output)")
        let report = try ArchiveImport().import(sandbox.path("a.zip"), to: sandbox.target)
        #expect(report.archiveErrors == [])
        #expect(report.ignored == [])
        #expect(report.entries == contents.count)
        #expect(files(try sandbox.snapshot(of: "home/account")) == contents)
    }

    private func export(_ sandbox: Sandbox, compresses: Bool) throws {
        for (path, bytes) in try contents() { try sandbox.write(bytes, to: "home/account/\(path)") }
        let report = try ArchiveExport(.init(compresses: compresses)).export(
            sandbox.target, to: sandbox.archive)
        #expect(report.archiveErrors == [])
        #expect(report.entries == (try contents().count))
    }

    private static let testers: [(name: String, arguments: [String])] = [
        ("unzip", ["-tq", "archive.zip"]),
        ("bsdtar", ["-tf", "archive.zip"]),
        ("7z", ["t", "archive.zip"]),
        ("zip", ["-T", "archive.zip"]),
        (
            "python3",
            ["-c", "import sys, zipfile; sys.exit(zipfile.ZipFile('archive.zip').testzip() is not None)"]
        ),
    ]

    @Test(arguments: testers.map(\.name), [true, false])
    func exportsAreAccepted(_ name: String, compresses: Bool) throws {
        let tester = try #require(Self.testers.first { $0.name == name })
        guard let tool = OtherProgram(name) else {
            print("\(name) is not installed and not tested")
            return
        }
        let sandbox = try Sandbox()
        try export(sandbox, compresses: compresses)
        let (status, output) = try tool.run(tester.arguments, in: sandbox.root.string)
        #expect(status == 0, "\(output)")
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func othersSeeOurNames() throws {
        let sandbox = try Sandbox()
        try export(sandbox, compresses: true)
        let (_, output) = try #require(OtherProgram("python3")).run(
            ["-c", "import zipfile; print('\\n'.join(zipfile.ZipFile('archive.zip').namelist()))"],
            in: sandbox.root.string)
        let names = output.split(separator: "\n").map { Array($0.utf8) }
        #expect(Set(names) == self.names(try contents()))
    }

    @Test(.enabled(if: OtherProgram.isThere("unzip")))
    func othersUnpackWhatWePacked() throws {
        let sandbox = try Sandbox()
        try export(sandbox, compresses: true)
        try sandbox.fileSystem.makeDirectories(sandbox.path("out"))
        let (status, output) = try #require(OtherProgram("unzip")).run(
            ["-q", "../archive.zip"], in: sandbox.path("out").string)
        #expect(status == 0, "\(output)")
        #expect(files(try sandbox.snapshot(of: "out")) == (try contents()))
    }

    @Test(arguments: [true, false])
    func importsWhatWeExport(_ compresses: Bool) throws {
        let sandbox = try Sandbox()
        try export(sandbox, compresses: compresses)
        let second = AccountLocation(directory: sandbox.path("second"))
        let report = try ArchiveImport().import(sandbox.archive, to: second)
        #expect(report.archiveErrors == [])
        let found = files(try sandbox.snapshot(of: "second"))
        #expect(found == (try contents()))
        #expect(names(found) == names(try contents()))
    }

    /// What is well formed, though unusual, is taken.
    @Test func takesUnusualArchives() throws {
        let sandbox = try Sandbox()
        var zip = try Forged.account()
        zip.entries =
            [
                ForgedEntry("simplex_v1_files/").with { $0.attributes = 0o040755 << 16 },
                ForgedEntry("simplex_v1_assets/wallpapers/").with {
                    $0.madeBy = 0x0014
                    $0.attributes = 0x10
                },
                Forged.media,
                .streamed("simplex_v1_files/signed", [1, 2, 3]),
                .deflated("simplex_v1_files/blocks", [UInt8](repeating: 9, count: 100_000)),
                ForgedEntry("simplex_v1_files/extra", [4]).with {
                    $0.both {
                        $0.extra =
                            ExtraField.make(0x9999, [1, 2])
                            + ExtraField.unicodeName(
                                "simplex_v1_files/extra", for: $0.name) + [0, 0]
                    }
                    $0.comment = Array("a comment".utf8)
                },
                ForgedEntry("simplex_v1_files/wide", [5, 6]).with {
                    $0.both {
                        $0.size = .max
                        $0.compressedSize = .max
                        $0.extra = ExtraField.zip64(2, 2)
                    }
                },
            ] + zip.entries
        zip.zip64 = ForgedZip64End()
        zip.end.comment = Array("made by hand".utf8)
        try sandbox.write(zip.bytes, to: "archive.zip")
        let report = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        #expect(report.archiveErrors == [])
        #expect(report.entries == 8 - 1)
        let found = try sandbox.snapshot(of: "home/account")
        #expect(found["simplex_v1_files/signed"] == [1, 2, 3])
        #expect(found["simplex_v1_files/blocks"] == [UInt8](repeating: 9, count: 100_000))
        #expect(found["simplex_v1_files/extra"] == [4])
        #expect(found["simplex_v1_files/wide"] == [5, 6])
    }

    @Test func ignoresAndReportsWhatIsNoPartOfAnAccount() throws {
        let sandbox = try Sandbox()
        var zip = try Forged.account()
        zip.entries += [
            ForgedEntry("README.txt", [1]), ForgedEntry("simplex_v1_files/sub/deep.txt", [2]),
            ForgedEntry("other/"), ForgedEntry("simplex_v1_filesystem/x", [3]), Forged.media,
        ]
        try sandbox.write(zip.bytes, to: "archive.zip")
        let report = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        #expect(report.ignored == ["README.txt", "simplex_v1_files/sub/deep.txt", "simplex_v1_filesystem/x"])
        #expect(report.entries == 3)
        let found = files(try sandbox.snapshot(of: "home/account"))
        #expect(
            Set(found.keys) == [
                "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/photo.jpg",
            ])
    }

    @Test func takesEncryptedDatabasesWithoutPassphrase() throws {
        let sandbox = try Sandbox()
        let sample = try Sample.encryptedDatabases
        try sandbox.write(
            Forged.account(chat: sample[.chat]!, agent: sample[.agent]!).bytes, to: "archive.zip")
        let report = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        #expect(!report.databasesOpened)
        #expect(try sandbox.snapshot(of: "home/account")["simplex_v1_agent.db"] == sample[.agent])
    }
}
