public import SystemPackage
public import ValiseAccounts
public import ValiseArchives
public import ValiseDatabase
import ValiseFailures
public import ValiseFiles
public import ValiseSecrets

/// The parts of an account inside of an archive, read where they are.
public struct ArchivedAccount {
    /// The archive itself.
    public let archive: FileSource
    /// Its checked entries.
    public let index: ZipIndex

    /// Nothing is unpacked to disk and memory is bounded, so that an archive may claim whatever Deflate can do.
    public static let readingLimits = ZipLimits(ratio: 1100)

    /// - Throws: ``ZipError`` for an archive that is no sound zip file; ``FileError``.
    public init(_ path: FilePath, limits: ZipLimits = readingLimits, fileSystem: FileSystem) throws {
        index = try ZipIndex(try fileSystem.openForReading(path), limits: limits)
        archive = try FileSource(path, fileSystem: fileSystem)
    }

    /// The entries' bytes, checked while they are read.
    public var contents: ZipContents { ZipContents(index, archive) }

    /// The bytes of an entry. Its checksum is not looked at.
    /// - Throws: ``ZipError``; ``FileError``.
    public func source(of entry: ZipEntry) throws -> any ByteSource { try entry.source(in: archive) }

    /// The bytes of a database.
    /// - Throws: ``AccountMediaError`` with `damaged` where it is missing; ``ZipError``.
    public func source(of database: AccountDatabase) throws -> any ByteSource {
        guard let entry = index.entry(named: database.archiveName) else {
            throw AccountMediaError(
                .damaged, "this is no archive of an account: \(database.archiveName) is missing",
                subject: archive.path.string)
        }
        return try source(of: entry)
    }

    /// Whether a passphrase is needed for a database: it does not begin as a plain one does.
    /// - Throws: as ``source(of:)``.
    public func isEncrypted(_ database: AccountDatabase) throws -> Bool {
        var head = [UInt8](repeating: 0, count: 16)
        let source = try source(of: database)
        _ = try head.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
        return head != Array("SQLite format 3\0".utf8)
    }

    /// Opens a database where it lies.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; ``DatabaseError``; ``ZipError``.
    public func connect(
        _ database: AccountDatabase, passphrase: borrowing SecretBytes
    ) throws -> Connection {
        try ChatDatabase.connect(try source(of: database), passphrase: passphrase)
    }

    /// The entries of the media folder; in archives it has the usual name.
    public var media: MediaArchive { MediaArchive(index, archive) }
}

/// The entries of an archive that are media.
public struct MediaArchive: MediaStore, Sendable {
    private let archive: FileSource
    private let entries: [String: ZipEntry]

    init(_ index: ZipIndex, _ archive: FileSource) {
        self.archive = archive
        let folder = AccountLocation(directory: "/").filesName + "/"
        var entries: [String: ZipEntry] = [:]
        for entry in index.entries where !entry.isFolder && entry.name.utf8.starts(with: folder.utf8) {
            entries[String(decoding: entry.name.utf8.dropFirst(folder.utf8.count), as: UTF8.self)] = entry
        }
        self.entries = entries
    }

    /// An archive has all files in one folder, so that the last component counts.
    public func find(_ path: String) throws -> MediaPlace {
        guard path.utf8.first != UInt8(ascii: "/"),
            let last = path.utf8.split(separator: UInt8(ascii: "/")).last
        else { return .elsewhere }
        let name = String(Substring(last))
        return entries[name].map { .file(name: name, size: $0.size) } ?? .missing(name: name)
    }

    public func forEach(_ body: (_ name: String, _ size: Int64) throws -> Void) throws {
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) { try body(name, entry.size) }
    }

    public func source(_ name: String) throws -> any ByteSource {
        guard let entry = entries[name] else {
            throw AccountMediaError(.notFound, "this file is not in the archive", subject: name)
        }
        return try entry.source(in: archive)
    }
}
