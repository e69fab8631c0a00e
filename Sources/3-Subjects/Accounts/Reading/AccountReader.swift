package import SystemPackage
package import ValiseChatSchema
public import ValiseConcurrency
public import ValiseDatabase
import ValiseFailures
public import ValiseFiles
public import ValiseSecrets

/// Reads an account, wherever it is: the only way to open one for reading (decision 44).
///
/// Both databases are read as of one moment. An account that a program is using is read too: from private copies that were
/// made while nobody could commit, see ``holder``. Nothing is changed in any case.
public final class AccountReader: Sendable {
    /// How an account in use by a program is treated.
    package enum Use: Sendable {
        /// It is read.
        case allowed
        /// It is refused, because a change follows.
        case refused
    }

    private let storage: any AccountStorage

    /// Reads from a place of any kind: those that this target does not know are given as storages.
    package init(_ storage: any AccountStorage) { self.storage = storage }

    /// Opens the account in a folder, also one that is in use.
    /// - Throws: `AccountError`: `unsupported` with a `RetiredMark`; `failed` where an interrupted operation waits to be
    ///   completed, because the two databases may be of different states then; `FileError`.
    public convenience init(_ location: AccountLocation) throws {
        try self.init(location, use: .allowed)
    }

    /// Opens the account in a folder.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - use: whether it may be in use.
    ///   - privateFolder: where private copies go; nil for a folder beside the databases.
    ///   - fileSystem: where files are read and written.
    /// - Throws: `AccountError`: `inUse`; `unsupported` with a `RetiredMark`; `failed` where an interrupted operation
    ///   waits to be completed, because the two databases may be of different states then; `FileError`.
    package convenience init(
        _ location: AccountLocation, use: Use = .allowed, privateFolder: FilePath? = nil,
        fileSystem: FileSystem = FileSystem()
    ) throws {
        self.init(
            try FolderStorage(location, use: use, privateFolder: privateFolder, fileSystem: fileSystem))
    }

    /// Looks at the files of an account in a folder, whatever state it is in: in use, retired, or with an interrupted operation
    /// pending. What is read is of no one moment: for what tells of the files, not of their rows.
    package convenience init(asItIs location: AccountLocation, fileSystem: FileSystem = FileSystem()) {
        self.init(FolderStorage(asItIs: location, .nothing, fileSystem: fileSystem))
    }

    /// The same under a lock, where nobody uses the account; ``holder`` says who does.
    package convenience init(
        lockedAsItIs location: AccountLocation, fileSystem: FileSystem = FileSystem()
    ) throws {
        let held = try FolderStorage.Held(location, fileSystem)
        self.init(FolderStorage(asItIs: location, held, fileSystem: fileSystem))
    }

    /// Opens the account in a folder for a glance at its rows, whatever state it is in: in use, retired, damaged, or with an
    /// interrupted operation pending.
    ///
    /// Both databases are read as of one moment. Those of an account in use are copied where they are small, or a journal or
    /// a log asks for it. Others are read where they are, which holds up the program that uses them: see ``blocksPrograms``
    /// and ``releaseDatabases()``. Where there is no such moment, reading them throws what is in the way.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - largest: how large both databases of an account in use are together, in bytes, that are copied although they could
    ///     be read where they are.
    ///   - fileSystem: where files are read and written.
    /// - Throws: `FileError`.
    package convenience init(
        lookingAt location: AccountLocation, copiesUpTo largest: Int64, fileSystem: FileSystem = FileSystem()
    ) throws {
        self.init(
            try FolderStorage(lookingAt: location, copiesUpTo: largest, fileSystem: fileSystem))
    }

    /// Reads what an archive holds.
    package convenience init(_ archive: ArchiveStorage) { self.init(archive as any AccountStorage) }

    /// Opens the account in a place.
    /// - Throws: as the others do; `ZipError` for an archive that is no sound zip file.
    public convenience init(_ place: AccountPlace, fileSystem: FileSystem = FileSystem()) throws {
        switch place {
        case .archive(let path): self.init(try ArchiveStorage(path, fileSystem: fileSystem))
        case .folder(let location): try self.init(location, fileSystem: fileSystem)
        }
    }

    /// Whether it is an archive.
    package var isArchive: Bool { storage.kind == .archive }

    /// The folder, or the archive; of a snapshot, what the paths of its files begin with.
    package var path: FilePath { storage.path }

    /// What reports and questions call it: the path, or the address and the ID of a snapshot.
    package var name: String { storage.name }

    /// The program that is using the account, as far as the system tells; nil where none does. What was read is the state
    /// of the moment when the account was opened.
    public var holder: String? { storage.holder }

    /// Whether the program that uses the account has to wait until the databases are released.
    package var blocksPrograms: Bool { storage.blocksPrograms }

    /// Lets programs write again, for what looks at media after it has read all rows. No database can be read any more. Every
    /// connection must be closed.
    package func releaseDatabases() { storage.releaseDatabases() }

    /// The media, as messages name them.
    public var media: any MediaStore & Sendable { get throws { try storage.media } }

    // MARK: Databases

    /// A database as it is stored.
    /// - Returns: nil where it is missing.
    /// - Throws: `FileError`; `ZipError`.
    package func find(_ database: AccountDatabase) throws -> StoredDatabase? { try storage.stored(database) }

    /// A database as it is stored, which has to be there.
    /// - Throws: ``AccountError`` with `notFound`, ``AccountMediaError`` with `damaged` for one that is missing in an archive;
    ///   as ``find(_:)``.
    package func stored(_ database: AccountDatabase) throws -> StoredDatabase {
        guard let found = try find(database) else { throw storage.missing(database) }
        return found
    }

    /// Why a database is needed and missing.
    package func missing(_ database: AccountDatabase) -> any Error { storage.missing(database) }

    /// Whether a passphrase is needed for a database.
    /// - Throws: as `stored(_:)`.
    public func isEncrypted(_ database: AccountDatabase) throws -> Bool {
        try stored(database).asksForPassphrase
    }

    /// Whether a passphrase is needed for one of the databases that are there.
    /// - Throws: `ZipError`; `FileError`.
    package func asksForPassphrase() throws -> Bool {
        try AccountDatabase.allCases.contains { try find($0)?.asksForPassphrase == true }
    }

    /// What the first bytes of a database say.
    /// - Throws: `ZipError`; `FileError`.
    package func form(of database: AccountDatabase) throws -> DatabaseFile.Form {
        try find(database)?.form ?? .missing
    }

    /// What can be told of a database's own file without a passphrase, as it is now.
    /// - Returns: nil where the database is no file of its own, as in an archive.
    /// - Throws: `FileError`.
    package func ownFile(of database: AccountDatabase) throws -> DatabaseFile? {
        try storage.ownFile(of: database)
    }

    /// Whether a transaction may wait beside a database's own file, also where the file itself is missing.
    /// - Throws: `FileError`.
    package func needsFolding(_ database: AccountDatabase) throws -> Bool {
        try ownFile(of: database)?.needsFolding ?? false
    }

    /// Copies of a database that the official programs or Valise left beside it, from the time before a change.
    /// - Throws: `FileError`.
    package func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] {
        try storage.previousCopies(of: database)
    }

    /// The bytes of a database as of its last committed transaction.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - passphrase: to fold in what waits in a side file; nil where it is not known.
    ///   - alwaysFolds: also where nothing but the header asks for a write-ahead log.
    ///   - progress: sees the copying that folding needs; throw to stop.
    /// - Throws: as ``stored(_:)``; `DatabaseError`; `noSpace`; whatever `progress` throws.
    package func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes? = nil, alwaysFolds: Bool = false,
        progress: ProgressHandler = { _ in }
    ) throws -> any ByteSource {
        try storage.source(
            of: database, passphrase: passphrase, alwaysFolds: alwaysFolds, progress: progress)
    }

    /// The bytes of a database's file, whatever waits beside it to be folded in.
    /// - Throws: as ``stored(_:)``.
    package func unfolded(_ database: AccountDatabase) throws -> any ByteSource {
        try storage.unfolded(database)
    }

    /// The file that a database is read from: its own, or a private copy that goes with the reader. For what looks for pages in
    /// damaged files.
    /// - Returns: nil where the database is no file of its own, as in an archive.
    /// - Throws: `FileError`.
    package func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? {
        try storage.fileToRead(of: database)
    }

    /// Derives the keys of both databases side by side, where the passphrase remembers them: each derivation takes as long as
    /// hundreds of megabytes of work, and what is opened in turn waits for neither. What fails here fails again, and is told,
    /// where a database is opened.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func deriveKeys(_ passphrase: borrowing SecretBytes?) throws {
        guard let given = try passphrase.duplicate(), given.derivedKeys != nil else { return }
        let secret = SharedSecret(given)
        let sources = AccountDatabase.allCases.compactMap { database in
            try? find(database)?.form == .encrypted ? unfolded(database) : nil
        }
        try? ParallelBatches.run(count: sources.count) {
        } work: { _, index in
            try Connection.deriveKey(of: sources[index], passphrase: secret.bytes)
        }
    }

    /// Opens a database under the settings of the official programs.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - passphrase: empty for none.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: `DatabaseError`: `wrongPassphrase`; as `source(of:passphrase:alwaysFolds:progress:)`.
    public func connect(
        _ database: AccountDatabase, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> Connection {
        let source = try source(of: database, passphrase: passphrase.duplicate(), progress: progress)
        return try Connection(source, passphrase: passphrase)
    }

    /// Opens a database under whatever settings it has.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - passphrase: empty for none.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged`; `DatabaseError`; as
    ///   ``source(of:passphrase:alwaysFolds:progress:)``.
    package func connectWithAnySettings(
        _ database: AccountDatabase, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> Connection {
        let source = try source(of: database, passphrase: passphrase.duplicate(), progress: progress)
        return try ChatDatabase.connect(source, passphrase: passphrase)
    }

    /// Whose schema a database has, and how far its migrations are.
    ///
    /// - Parameters:
    ///   - database: which of the two.
    ///   - passphrase: empty for none.
    /// - Throws: as ``connectWithAnySettings(_:passphrase:progress:)``.
    package func schema(
        of database: AccountDatabase, passphrase: borrowing SecretBytes
    ) throws -> SchemaStatus {
        try SchemaStatus(
            connectWithAnySettings(database, passphrase: passphrase), of: database.lineage)
    }

    // MARK: Entries

    /// Every file that an archive of the account has, and the names of what no archive could hold.
    /// - Throws: `FileError`.
    package func entries() throws -> (entries: [AccountEntry], leftOut: [String]) { try storage.entries() }

    /// The bytes of a file. Any thread may ask.
    /// - Throws: `FileError`; `ZipError`.
    package func source(of entry: AccountEntry) throws -> any ByteSource { try storage.source(of: entry) }

    /// Unpacks entries to nowhere, where they are packed.
    /// - Returns: the names of those whose checksum is wrong, and what is.
    /// - Throws: `FileError`; whatever `progress` throws.
    package func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] {
        try storage.checkContents(only: isWanted, progress: progress)
    }
}
