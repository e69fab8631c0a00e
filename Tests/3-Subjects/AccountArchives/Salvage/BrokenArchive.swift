import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFiles
import ValiseMaintenance
import ValiseSampleAccounts
import ValiseSecrets

/// A folder with archives to break, and what becomes of them.
struct BrokenArchive {
    let folder: TemporaryFolder
    var broken: FilePath { folder.appending("broken.zip") }
    var out: FilePath { folder.appending("out.zip") }

    static let rawKey = Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8)
    static let chat = "simplex_v1_chat.db"
    static let agent = "simplex_v1_agent.db"

    /// An account with some media, exported.
    static let account = Result {
        let folder = try TemporaryFolder(inMemory: true)
        let location = AccountLocation(directory: folder.appending("account"))
        let key = try SecretBytes(copying: rawKey)
        try SampleAccount(.init(messages: 200)).build(location, passphrase: key)
        for number in 0..<12 {
            let bytes = (0..<(3000 + 700 * number)).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3 ^ number) }
            try FileSystem().replace(
                location.filesFolder.appending("extra \(number).bin"), with: bytes)
        }
        let archive = folder.appending("whole.zip")
        _ = try ArchiveExport().export(location, to: archive)
        return try FileSystem().contents(of: archive, limit: 1 << 30)
    }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    /// Makes an archive by a script that writes `whole.zip`, and gives its bytes.
    func python(_ script: String) throws -> [UInt8] {
        let path = folder.appending("whole.zip")
        try? FileSystem().remove(path)
        let head = """
            import zipfile, random, io, struct, zlib
            chat, agent = "simplex_v1_chat.db", "simplex_v1_agent.db"
            rnd = random.Random(5)
            def media(n): return f"simplex_v1_files/{n}.jpg"
            def make(path, entries, method=0):
                with zipfile.ZipFile(path, "w", method) as z:
                    for name, data in entries: z.writestr(name, data)
            def some(count): return rnd.randbytes(count)

            """
        try tool("python3", ["-c", head + script])
        return try FileSystem().contents(of: path, limit: 1 << 30)
    }

    func tool(_ name: String, _ arguments: [String]) throws {
        let (status, output) = try #require(OtherProgram(name)).run(arguments, in: folder.path.string)
        try #require(status == 0, "\(name) failed: \(output)")
    }

    /// Salvages these bytes.
    func salvage(
        _ bytes: [UInt8], passphrase: [UInt8]? = nil, options: ArchiveSalvage.Options = .init(),
        fileSystem: FileSystem = FileSystem()
    ) throws -> ArchiveSalvageReport {
        try FileSystem().replace(broken, with: bytes)
        if try FileSystem().exists(out), !options.replacesFile { try FileSystem().remove(out) }
        let report: ArchiveSalvageReport
        if let passphrase {
            report = try ArchiveSalvage(options, fileSystem: fileSystem).run(
                broken, to: out, passphrase: SecretBytes(copying: passphrase))
        } else {
            report = try ArchiveSalvage(options, fileSystem: fileSystem).run(broken, to: out)
        }
        if !options.isDryRun {
            _ = try ZipIndex(FileSystem().openForReading(out))
            if OtherProgram.areAllowed { try tool("unzip", ["-tqq", "out.zip"]) }
        }
        return report
    }

    /// The unpacked entries of an archive that is whole.
    func contents(of path: FilePath) throws -> [String: [UInt8]] {
        let index = try ZipIndex(FileSystem().openForReading(path))
        let contents = try ZipContents(index, FileSource(path))
        var found: [String: [UInt8]] = [:]
        for entry in index.entries {
            var bytes: [UInt8] = []
            try contents.read(entry) { bytes += $0 }
            found[entry.name] = bytes
        }
        return found
    }

    func contents(ofWhole bytes: [UInt8]) throws -> [String: [UInt8]] {
        let path = folder.appending("compared.zip")
        try FileSystem().replace(path, with: bytes)
        return try contents(of: path)
    }

    /// What lies in the folder beside the archives.
    func leftovers() throws -> [String] {
        try FileSystem().list(folder.path).compactMap(\.name).filter {
            !["broken.zip", "out.zip", "whole.zip", "compared.zip"].contains($0)
        }
    }
}

/// Where the parts of a whole archive lie.
struct ArchiveParts {
    let entries: [(name: String, range: Range<Int>)]
    /// Where the directory's headers begin.
    private(set) var records: [Int] = []
    let directory: Int
    let end: Int

    /// By the directory that the end record names.
    init(_ bytes: [UInt8]) throws {
        func number(_ start: Int, _ width: Int) -> Int {
            bytes[start..<start + width].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        end = try #require(
            stride(from: bytes.count - 22, through: 0, by: -1).first { number($0, 4) == 0x0605_4b50 })
        directory = number(end + 16, 4)
        var starts: [(String, Int)] = []
        var position = directory
        while position < end, number(position, 4) == 0x0201_4b50 {
            let length = number(position + 28, 2)
            let name = String(decoding: bytes[position + 46..<position + 46 + length], as: UTF8.self)
            starts.append((name, number(position + 42, 4)))
            records.append(position)
            position += 46 + length + number(position + 30, 2) + number(position + 32, 2)
        }
        starts.sort { $0.1 < $1.1 }
        let ends = starts.dropFirst().map(\.1) + [directory]
        entries = zip(starts, ends).map { ($0.0, $0.1..<$1) }
    }

    func range(of name: String) throws -> Range<Int> {
        try #require(entries.first { $0.name == name }).range
    }
}
