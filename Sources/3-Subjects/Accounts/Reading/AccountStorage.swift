package import SystemPackage
package import ValiseConcurrency
package import ValiseFiles
package import ValiseSecrets

/// Where the bytes of an account are that an ``AccountReader`` reads: one conformance for each kind of place.
///
/// What all places have in common, such as the trial of a passphrase, is the reader's.
package protocol AccountStorage: AnyObject, Sendable {
    /// What kind of place it is.
    var kind: AccountStorageKind { get }
    /// Where it is; of a place that is no path, what the paths of its files begin with.
    var path: FilePath { get }
    /// What reports and questions call it.
    var name: String { get }
    /// The program that has the account open, as far as the system tells; nil where it is not in use.
    var holder: String? { get }
    /// The media, as messages name them.
    var media: any MediaStore & Sendable { get throws }

    /// - Returns: nil where the database is missing.
    func stored(_ database: AccountDatabase) throws -> StoredDatabase?
    /// Why a database is needed and not there.
    func missing(_ database: AccountDatabase) -> any Error
    /// The bytes as of the last committed transaction.
    /// - Parameters:
    ///   - passphrase: to fold in what waits in a side file; nil where it is not known.
    ///   - alwaysFolds: also where nothing but the header asks for a write-ahead log.
    func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource
    /// The bytes of the file itself, whatever waits beside it.
    func unfolded(_ database: AccountDatabase) throws -> any ByteSource
    /// The file that a database is read from, which may be opened as one for as long as the storage lives, and never changed.
    /// It need not be there.
    /// - Returns: nil where the database is no file of its own.
    func fileToRead(of database: AccountDatabase) throws -> DatabaseFile?
    /// The database's own file in its place, as it is now: to be looked at, not to be read.
    /// - Returns: nil where the database is no file of its own.
    func ownFile(of database: AccountDatabase) throws -> DatabaseFile?
    /// Copies of a database that programs left beside it.
    func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile]

    /// Whether programs that use the account have to wait because a database is read where it is.
    var blocksPrograms: Bool { get }
    /// Lets programs write again. No database can be read any more.
    func releaseDatabases()

    /// Every file that an archive of the account has, and the names of what no archive could hold.
    func entries() throws -> (entries: [AccountEntry], leftOut: [String])
    /// The bytes of one. Any thread may ask.
    func source(of entry: AccountEntry) throws -> any ByteSource
    /// Unpacks entries to nowhere, where they are packed.
    /// - Returns: the names of those whose checksum is wrong, and what is.
    func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)]
}

extension AccountStorage {
    /// Its path.
    package var name: String { path.string }
}

/// The kinds of places that accounts are read from. Nobody asks which type a storage has.
package enum AccountStorageKind: Sendable {
    /// Files of the account, which a program may be using.
    case folder
    /// One file with all of it, which nothing changes.
    case archive
    /// A repository that has it among others, and never changes it.
    case snapshot
}
