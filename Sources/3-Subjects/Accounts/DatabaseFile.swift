package import SystemPackage
import ValiseFailures
package import ValiseFiles
import ValisePages

/// What can be told of a database file without its passphrase.
package struct DatabaseFile: Sendable, Equatable {
    /// What the first bytes and the size say.
    package enum Form: String, Sendable, Codable {
        /// Nothing is at the path.
        case missing
        /// No bytes: SQLite makes such a file before the first write.
        case empty
        /// SQLite's own header.
        case unencrypted = "plain"
        /// No known header and whole pages: as SQLCipher writes it. Only the passphrase can prove it.
        case encrypted
        /// Neither: a size that is no multiple of a page.
        case unknown
    }

    package let path: FilePath
    package let form: Form
    /// In bytes.
    package let size: Int64
    /// The size of a rollback journal left behind; nil where there is none or it is empty.
    package let journalSize: Int64?
    /// The size of a write-ahead log; nil where there is none or it is empty.
    package let walSize: Int64?
    /// Whether an unencrypted file's header asks for a write-ahead log. An encrypted header cannot be read.
    package let asksForWAL: Bool
    /// Copies that the official programs left: `.bak`, `.exported`.
    package let copies: [String]

    /// SQLCipher's smallest page.
    private static let smallestPage: Int64 = 512

    package static let unencryptedHeader = PageCodec.unencryptedMagic

    /// - Throws: `FileError` when the system does not let us look.
    package init(_ path: FilePath, fileSystem: FileSystem) throws(FileError) {
        self.path = path
        let attributes = try fileSystem.attributes(of: path)
        size = attributes?.size ?? 0
        let head = try Self.head(of: path, attributes, fileSystem)
        form = Self.form(attributes, head)
        // Bytes 18 and 19: the versions needed to write and to read; 2 is a write-ahead log.
        asksForWAL = form == .unencrypted && head.count > 19 && (head[18] == 2 || head[19] == 2)
        journalSize = try Self.size(of: path.appendingSuffix("-journal"), fileSystem)
        walSize = try Self.size(of: path.appendingSuffix("-wal"), fileSystem)
        var copies: [String] = []
        for suffix in [".bak", ".exported"] where try fileSystem.exists(path.appendingSuffix(suffix)) {
            copies.append(path.appendingSuffix(suffix).lastComponent?.string ?? suffix)
        }
        self.copies = copies
    }

    /// The file of a database that has to be there.
    /// - Throws: ``AccountError`` with `notFound` when it is missing; `FileError`.
    package init(
        existing database: AccountDatabase, of location: AccountLocation, fileSystem: FileSystem
    ) throws {
        try self.init(location.path(of: database), fileSystem: fileSystem)
        guard form != .missing else {
            throw AccountError(.notFound, "the \(database.rawValue) database is missing", path)
        }
    }

    /// Whether a transaction may wait in a side file: the main file alone is not the whole truth then.
    package var needsFolding: Bool { journalSize != nil || walSize != nil || asksForWAL }

    /// The side files of a database, which belong to exactly one main file.
    package static let sideSuffixes = ["-journal", "-wal", "-shm"]

    private static func size(
        of path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> Int64? {
        guard let found = try fileSystem.attributes(of: path), found.size > 0 else { return nil }
        return found.size
    }

    private static func head(
        of path: FilePath, _ attributes: FileAttributes?, _ fileSystem: FileSystem
    ) throws(FileError) -> [UInt8] {
        guard let attributes, attributes.kind == .regular else { return [] }
        return try fileSystem.openForReading(path).bytes(at: 0, count: 20)
    }

    private static func form(_ attributes: FileAttributes?, _ head: [UInt8]) -> Form {
        guard let attributes else { return .missing }
        guard attributes.kind == .regular else { return .unknown }
        if attributes.size == 0 { return .empty }
        if head.starts(with: unencryptedHeader) { return .unencrypted }
        return attributes.size % smallestPage == 0 ? .encrypted : .unknown
    }
}
