import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `--force` of all commands that have it: a file of the kind that is written gives way, and an empty one; nothing else.
struct ReplacingTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    /// What a command writes over something with `--force`.
    enum Output: String, CaseIterable, CustomTestStringConvertible {
        case export, salvage, keyFile, sheetPDF, sheetSVG, linkPNG, linkSVG, decrypted, extracted, report

        var testDescription: String { rawValue }
        /// Whether it replaces without being told to, by its nature.
        var needsNoForce: Bool { self == .report }
    }

    init() throws {
        folder = try TemporaryFolder("valise-force", inMemory: true)
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: path("account"), "--messages", "20", "--media-bytes", "100000")
        let media = FilePath(path("account")).appending("simplex_v1_files").appending("target")
        try fileSystem.replace(media, with: Self.unknown)
        #expect(try valise("archive", "export", path("account"), path("a.zip"), "--quiet").status == 0)
    }

    private func path(_ name: String) -> String { folder.appending(name).string }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }
    private var environment: [String: String] { ["HOME": folder.appending("home").string] }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, arguments, environment: environment)
    }

    /// Content of no known format.
    private static let unknown = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }

    /// Files of users, of kinds that come near to those of outputs.
    private static let foreign: [String: [UInt8]] = [
        "a letter": Array("Dear Alice,\nthis is a letter.\n".utf8),
        "a spreadsheet": Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [19, 0, 0, 0]
            + Array("[Content_Types].xml and so on".utf8),
        "a database": Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 4080),
        "a program": [0x7f, 0x45, 0x4c, 0x46] + (0..<200).map { UInt8($0) },
        "a document": Array(#"{"type":"diary","entries":[]}"#.utf8),
        "a photo": [0xff, 0xd8, 0xff, 0xe0] + (0..<200).map { UInt8($0) },
    ]

    private func write(_ output: Output, to target: FilePath) throws -> Program.Outcome {
        let (account, out) = (path("account"), target.string)
        switch output {
        case .export: return try valise("archive", "export", account, out, "--force")
        case .salvage: return try valise("archive", "salvage", path("a.zip"), out, "--force", key)
        case .keyFile: return try valise("key", "generate", "--to", out, "--force")
        case .sheetPDF:
            return try valise("key", "sheet", account, key, "-o", out, "--format", "pdf", "--force")
        case .sheetSVG:
            return try valise("key", "sheet", account, key, "-o", out, "--format", "svg", "--force")
        case .linkPNG, .linkSVG:
            // The images are looked at first of all.
            let option = output == .linkPNG ? "--qr-png" : "--qr-svg"
            return try valise("move", "link", account, option, out, "--force")
        case .decrypted: return try valise("file", "decrypt", path("e"), out, "--force")
        case .extracted:
            return try valise(
                "archive", "extract", path("a.zip"), "simplex_v1_files/target", "-C", path("out"), "--force")
        case .report: return try valise("archive", "verify", path("a.zip"), key, "--report", out)
        }
    }

    private func target(_ output: Output) throws -> FilePath {
        guard output == .extracted else { return folder.appending("target") }
        let media = folder.appending("out").appending("simplex_v1_files")
        try fileSystem.makeDirectories(media)
        return media.appending("target")
    }

    @Test func `what --force would not replace is not offered to it`() throws {
        let (account, letter) = (path("account"), path("letter"))
        try fileSystem.replace(FilePath(letter), with: try #require(Self.foreign["a letter"]))
        let commands = [
            ["archive", "export", account, letter], ["archive", "salvage", path("a.zip"), letter, key],
            ["key", "generate", "--to", letter], ["doctor", account, "--report", letter],
            ["key", "sheet", account, key, "-o", letter, "--format", "pdf"],
        ]
        for arguments in commands {
            let refused = try Program.run(Program.valise, arguments, environment: environment)
            #expect(refused.status == 1, "\(arguments): \(refused.status) \(refused.errors)")
            #expect(refused.errors.contains("existing file is not a"), "\(refused.errors)")
            #expect(!refused.errors.contains("--force"), "\(refused.errors)")
        }
        let again = try valise("archive", "export", account, path("a.zip"))
        #expect(
            again.status == 1 && again.errors.contains("hint: to replace it, add --force"), "\(again.errors)")
    }

    @Test(arguments: Output.allCases)
    func `what is not of its kind is refused by name, and stays`(_ output: Output) throws {
        let target = try target(output)
        if output == .decrypted {
            try fileSystem.replace(folder.appending("p"), with: Self.unknown)
            #expect(try valise("file", "encrypt", path("p"), path("e")).status == 0)
        }
        for (name, content) in Self.foreign.sorted(by: { $0.key < $1.key }) {
            // Of no known format either.
            if output == .decrypted || output == .extracted, name == "a program" { continue }
            try fileSystem.replace(target, with: content)
            let outcome = try write(output, to: target)
            let comment: Comment = "\(output) over \(name): \(outcome.status) \(outcome.errors)"
            #expect(outcome.status == (output == .extracted ? 3 : 1), comment)
            #expect(
                outcome.errors.contains("existing file is not ")
                    && outcome.errors.contains("so it is not replaced")
                    && outcome.errors.contains(target.lastComponent?.string ?? "?"), comment)
            #expect(try fileSystem.contents(of: target, limit: 1 << 20) == content, comment)
        }
        let leftovers = try fileSystem.list(target.removingLastComponent()).compactMap(\.name)
        #expect(!leftovers.contains { $0.contains("partial") || $0.hasPrefix(".valise") }, "\(leftovers)")
    }

    @Test(arguments: [Output.export, .salvage, .keyFile, .sheetPDF, .sheetSVG, .extracted, .report])
    func `an empty file gives way, and then what was written there before`(_ output: Output) throws {
        let target = try target(output)
        try fileSystem.replace(target, with: [])
        for _ in 0..<2 {
            let outcome = try write(output, to: target)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try #require(try fileSystem.attributes(of: target)).size > 0)
        }
    }

    @Test(arguments: [Output.export, .salvage, .keyFile, .sheetPDF, .linkPNG, .decrypted, .report])
    func `a folder that is missing is named with the command that creates it`(_ output: Output) throws {
        if output == .decrypted {
            try fileSystem.replace(folder.appending("p"), with: Self.unknown)
            #expect(try valise("file", "encrypt", path("p"), path("e")).status == 0)
        }
        let missing = folder.appending("not here")
        let refused = try write(output, to: missing.appending("target"))
        let command = "mkdir -p '\(missing)'"
        #expect(
            refused.status == 10 && refused.errors.contains("\nhint: to create it, run: \(command)\n"),
            "\(refused.errors)")
        #expect(try Program.run("/bin/sh", ["-c", command]).status == 0)
        // Nothing was sent, so there is no link to draw.
        if output == .linkPNG { return }
        let written = try write(output, to: missing.appending("target"))
        #expect(written.status == 0, "\(written.errors)")
    }

    @Test func `a decrypted file takes the place of one of its kind`() throws {
        let texts = try ["one", "two"].map { name in
            try fileSystem.replace(folder.appending(name), with: Array("the text \(name)\n".utf8))
            #expect(try valise("file", "encrypt", path(name), path("\(name).e")).status == 0)
            return Array("the text \(name)\n".utf8)
        }
        #expect(try valise("file", "decrypt", path("one.e"), path("t"), "--force").status == 0)
        #expect(try valise("file", "decrypt", path("two.e"), path("t"), "--force").status == 0)
        #expect(try fileSystem.contents(of: folder.appending("t"), limit: 100) == texts[1])
    }

    @Test func `an archive that is cut off is still one`() throws {
        let bytes = try fileSystem.contents(of: folder.appending("a.zip"), limit: 1 << 26)
        try fileSystem.replace(folder.appending("a.zip"), with: Array(bytes.prefix(5000)))
        #expect(try valise("archive", "export", path("account"), path("a.zip"), "--force").status == 0)
    }
}
