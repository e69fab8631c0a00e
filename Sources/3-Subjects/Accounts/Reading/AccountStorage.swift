import SystemPackage
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets

/// Where the bytes of an account are that an ``AccountReader`` reads: one conformance for each kind of place.
///
/// What all places have in common, such as the trial of a passphrase, is the reader's.
protocol AccountStorage: AnyObject, Sendable {
    /// What reports and errors call it.
    var path: FilePath { get }
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
