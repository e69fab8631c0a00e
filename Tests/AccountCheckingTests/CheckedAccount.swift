import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSampleAccounts
import ValiseSecrets

/// A sample account of some 800 pages, in a folder of its own. For one thread, or as a template for many.
final class CheckedAccount: @unchecked Sendable {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    static let pageSize = 4096

    static func key(_ digits: String = "5a") throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: digits, count: 32) + "'").utf8))
    }

    init(seed: UInt64 = 1, messages: Int = 300) throws {
        folder = try TemporaryFolder()
        location = AccountLocation(directory: folder.appending("account"))
        try SampleAccount(.init(messages: messages, seed: seed)).build(location, passphrase: Self.key())
    }

    /// The same files in another folder.
    init(copying other: CheckedAccount) throws {
        folder = try TemporaryFolder()
        location = AccountLocation(directory: folder.appending("account"))
        try TemporaryFolder.copyTree(other.location.directory, to: location.directory)
    }

    func check(quick: Bool = false, key: String = "5a") throws -> AccountCheckReport {
        try AccountCheck(isQuick: quick).check(AccountReader(location), passphrase: Self.key(key))
    }

    func connect(_ database: AccountDatabase) throws -> Connection {
        try Connection(location.path(of: database), mode: .readWrite, passphrase: Self.key())
    }

    // MARK: Damage

    func bytes(of database: AccountDatabase) throws -> [UInt8] {
        try fileSystem.contents(of: location.path(of: database), limit: 1 << 30)
    }

    func replace(_ database: AccountDatabase, with bytes: [UInt8]) throws {
        try fileSystem.replace(location.path(of: database), with: bytes)
    }

    func change(_ database: AccountDatabase, _ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = try bytes(of: database)
        try body(&bytes)
        try replace(database, with: bytes)
    }

    static func range(ofPage page: Int) -> Range<Int> { (page - 1) * pageSize..<page * pageSize }

    // MARK: Archives

    /// Both databases and the media, packed by one method.
    func archive(_ method: ZipMethod) throws -> FilePath {
        let path = folder.appending("account-\(method).zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        for database in AccountDatabase.allCases {
            try add(database.archiveName, location.path(of: database), to: writer, method)
        }
        for entry in try fileSystem.list(location.filesFolder) {
            let name = try #require(entry.name)
            try add("simplex_v1_files/\(name)", location.filesFolder.appending(name), to: writer, method)
        }
        _ = try writer.finish()
        return path
    }

    private func add(_ name: String, _ path: FilePath, to writer: ZipWriter, _ method: ZipMethod) throws {
        let source = try FileSource(path)
        var offset: Int64 = 0
        try writer.add(name, size: source.size, modificationTime: 0, method: method) { buffer in
            let count = try source.read(into: buffer, at: offset)
            offset += Int64(count)
            return count
        }
    }
}
