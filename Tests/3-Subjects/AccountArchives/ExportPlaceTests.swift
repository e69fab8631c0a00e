import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// An export replaces and removes nothing but archives and what exports left.
struct ExportPlaceTests {
    private let account: SampleAccountFixture
    private var fileSystem: FileSystem { account.fileSystem }

    init() throws {
        account = try SampleAccountFixture()
    }

    /// By the export and by its plan, and nothing is changed.
    private func expectRefused(_ archive: FilePath, _ code: FailureCode, _ words: String) throws {
        let before = try TemporaryFolder.contents(of: account.folder.path)
        let export = ArchiveExport(.init(replacesFile: true))
        let operations: [() throws -> Void] = [
            { _ = try export.export(account.location, to: archive, passphrase: SampleAccountFixture.key()) },
            { _ = try export.plan(account.location, to: archive, passphrase: SampleAccountFixture.key()) },
        ]
        for operation in operations {
            #expect {
                try operation()
            } throws: { error in
                guard let failure = error as? any Failure else { return false }
                return failure.code == code && failure.message.contains(words)
            }
            #expect(try TemporaryFolder.contents(of: account.folder.path) == before)
        }
    }

    @Test(arguments: [
        "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_chat.db-wal", "simplex_v1.valise-archive",
        ".valise-simplex_v1", "simplex_v1_files/a.zip", "simplex_v1_assets/wallpapers/a.zip",
    ])
    func `no part of an account is replaced, this one's or another's`(_ name: String) throws {
        try expectRefused(account.location.directory.appending(name), .invalid, "belongs to the account")
        let other = account.folder.appending("other")
        try TemporaryFolder.copyTree(account.location.directory, to: other)
        try expectRefused(other.appending(name), .invalid, "belongs to the account")
    }

    @Test func `a folder is not exported to`() throws {
        try fileSystem.makeDirectory(account.archive)
        try expectRefused(account.archive, .alreadyExists, "a folder")
        try expectRefused(account.location.directory, .alreadyExists, "a folder")
    }

    @Test(arguments: [
        ("a.zip.parts/letter.txt", 0o600), ("a.zip.parts/simplex_v1_chat.db/x", 0o600),
        ("a.zip.parts", 0o600),
        ("a.zip.partial", 0o600), ("a.zip.partial", 0o644),
    ])
    func `what no export left is not removed`(_ name: String, _ mode: Int) throws {
        let path = account.folder.appending(name)
        try fileSystem.makeDirectories(path.removingLastComponent())
        let begin = mode == 0o644 ? Array("PK\u{3}\u{4}".utf8) : Array("mine".utf8)
        try fileSystem.replace(path, with: begin)
        try fileSystem.setPermissions(FilePermissions(rawValue: CInterop.Mode(mode)), of: path)
        try expectRefused(account.archive, .alreadyExists, "needed by the export")
    }

    @Test func `a folder that others may read is not an export's`() throws {
        let folder = account.folder.appending("a.zip.parts")
        try fileSystem.makeDirectory(folder)
        try fileSystem.replace(folder.appending("simplex_v1_chat.db"), with: [1])
        try fileSystem.setPermissions(FilePermissions(rawValue: 0o755), of: folder)
        try expectRefused(account.archive, .alreadyExists, "needed by the export")
    }

    @Test(arguments: [[], Array("PK\u{3}\u{4}rest".utf8), Array("PK".utf8), [0, 0, 0, 0, 0]])
    func `what a killed export left is removed`(_ begin: [UInt8]) throws {
        let folder = account.folder.appending("a.zip.parts")
        try fileSystem.makeDirectory(folder)
        for name in ["simplex_v1_chat.db", "simplex_v1_chat.db-journal", "simplex_v1_agent.db-wal"] {
            try fileSystem.replace(folder.appending(name), with: [1])
        }
        try fileSystem.replace(account.folder.appending("a.zip.partial"), with: begin)
        try account.export()
        #expect(try Set(fileSystem.list(account.folder.path).compactMap(\.name)) == ["account", "a.zip"])
    }

    // MARK: What is told

    /// A log that was checkpointed leaves no file: the header alone asks for one, and it is encrypted.
    @Test func `a database in log mode is said to be folded in when it was`() throws {
        do {
            let connection = try account.connection()
            let mode = try connection.value("PRAGMA journal_mode = WAL")
            #expect(mode == .text("wal"))
        }
        let before = try account.files()
        #expect(before.count { $0.key.hasSuffix("-wal") || $0.key.hasSuffix("-shm") } == 0)
        let options = ArchiveExport.Options(replacesFile: true, isReproducible: true)
        let plan = try ArchiveExport(options).plan(
            account.location, to: account.archive, passphrase: SampleAccountFixture.key())
        #expect(plan.folded == [.chat])
        var report = try account.export(options)
        #expect(try account.files() == before)
        #expect(report.folded == [.chat] && report.isReproducible == false)
        #expect(try mode(of: account.folder.appending("folded")) == .text("delete"))
        // Without the passphrase it goes along as it is, and is the same each time.
        var digests: Set<String> = []
        for _ in 0..<2 {
            report = try ArchiveExport(options).export(account.location, to: account.archive)
            #expect(report.folded == [] && report.isReproducible == true)
            digests.insert(try #require(report.sha256))
        }
        #expect(digests.count == 1)
        #expect(try mode(of: account.folder.appending("as it is")) == .text("wal"))
    }

    private func mode(of folder: FilePath) throws -> Value? {
        _ = try ArchiveExtraction(.init(patterns: ["*_chat.db"])).extract(account.archive, to: folder)
        let connection = try Connection(
            folder.appending("simplex_v1_chat.db"), mode: .readWrite, passphrase: SampleAccountFixture.key())
        return try connection.value("PRAGMA journal_mode")
    }

    @Test func `everything that is left out is named, however much it is`() throws {
        for number in 0..<1500 {
            _ = try fileSystem.create(account.location.filesFolder.appending("n\(number)"))
        }
        let partial = try #require(try account.export(.init(scope: .withoutMedia)).partial)
        #expect(partial.leftOutFiles > 1500 && Set(partial.leftOut).count == partial.leftOutFiles)
    }
}
