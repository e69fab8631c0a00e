package import SystemPackage
package import ValiseArchives
package import ValiseConcurrency
import ValiseContainers
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// The parts of an account inside an archive, read where they are.
package final class ArchiveStorage: AccountStorage {
    /// The archive itself.
    package let archive: FileSource
    /// Its checked entries.
    package let index: ZipIndex

    /// Nothing is unpacked to disk and memory is bounded, so that an archive may claim whatever Deflate can do.
    package static let readingLimits = ZipLimits(ratio: 1100)

    /// - Throws: `ZipError` for an archive that is no sound zip file; `FileError`.
    package convenience init(
        _ path: FilePath, limits: ZipLimits = readingLimits, fileSystem: FileSystem = FileSystem()
    ) throws {
        try self.init(try FileSource(path, fileSystem: fileSystem), limits: limits)
    }

    /// - Parameters:
    ///   - archive: what is open already.
    ///   - limits: what an archive may ask for.
    /// - Throws: `ZipError` for an archive that is no sound zip file; `ContainerError` with `unsupported` for one that is no zip
    ///   but known, and has to be copied into one first (see `ContainerCopy`); `FileError`.
    package init(_ archive: FileSource, limits: ZipLimits = readingLimits) throws {
        do {
            index = try archive.withFile { try ZipIndex($0, limits: limits) }
        } catch let error as ZipError {
            try ContainerError.refuseContainer(archive)
            throw error
        }
        self.archive = archive
    }

    /// The entries' bytes, checked while they are read.
    package var contents: ZipContents { ZipContents(index, archive) }

    /// The bytes of an entry. Its checksum is not looked at.
    /// - Throws: `ZipError`; `FileError`.
    package func source(of entry: ZipEntry) throws -> any ByteSource { try entry.source(in: archive) }

    // MARK: The account

    /// An archive.
    package var kind: AccountStorageKind { .archive }
    /// Of the archive.
    package var path: FilePath { archive.path }
    /// Nobody has an archive open to write to it.
    package var holder: String? { nil }
    /// Its entries in the folder of media.
    package var media: any MediaStore & Sendable { MediaArchive(index, archive) }

    /// What the entry of a database tells.
    package func stored(_ database: AccountDatabase) throws -> StoredDatabase? {
        guard let entry = index.entry(named: database.archiveName) else { return nil }
        let source = try source(of: entry)
        let header = DatabaseFile.unencryptedHeader
        let isUnencrypted = try source.bytes(at: 0, upTo: header.count) == header
        return StoredDatabase(
            database: database, path: source.path,
            form: isUnencrypted ? .unencrypted : .encrypted, size: entry.size,
            modificationTime: entry.modified?.seconds ?? 0, needsFolding: false, hasJournalAlone: false)
    }

    /// Why it is no archive of an account.
    package func missing(_ database: AccountDatabase) -> any Error {
        AccountMediaError(
            .damaged, "not an account archive: \(database.archiveName) is missing",
            subject: archive.path.string)
    }

    /// The unpacked bytes of a database.
    package func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource {
        try unfolded(database)
    }

    /// The unpacked bytes of a database.
    package func unfolded(_ database: AccountDatabase) throws -> any ByteSource {
        guard let entry = index.entry(named: database.archiveName) else { throw missing(database) }
        return try source(of: entry)
    }

    /// Nil: a database is no file.
    package func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? { nil }
    /// Nil: a database is no file.
    package func ownFile(of database: AccountDatabase) throws -> DatabaseFile? { nil }
    /// None.
    package func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] { [] }

    /// Nobody waits for an archive.
    package var blocksPrograms: Bool { false }
    /// Nobody writes to an archive.
    package func releaseDatabases() {}

    /// All entries but folders.
    package func entries() throws -> (entries: [AccountEntry], leftOut: [String]) {
        let entries = index.entries.filter { !$0.isFolder }.map {
            AccountEntry($0.name, size: $0.size, packed: $0)
        }
        return (entries, [])
    }

    /// Unpacks entries, whose checksums tell.
    package func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] {
        try contents.check(
            only: { isWanted(AccountEntry($0.name, size: $0.size, packed: $0)) }, progress: progress
        ).map { ($0.entry.name, $0.error) }
    }

    /// The unpacked bytes of an entry.
    package func source(of entry: AccountEntry) throws -> any ByteSource {
        guard let packed = entry.packed else {
            throw AccountError(.failed, "an entry has no position in the archive", archive.path)
        }
        return try source(of: packed)
    }
}
