import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets

/// An account that was fetched from a store. What was fetched stays as long as it is read.
final class FetchedStorage: AccountStorage {
    /// Where it is in the store.
    let name: String
    private let account: AccountReader
    private let copy: StoreCopy

    init(_ account: AccountReader, _ copy: StoreCopy, name: String) {
        self.account = account
        self.copy = copy
        self.name = name
    }

    var kind: AccountStorageKind { account.isArchive ? .archive : .folder }
    var path: FilePath { account.path }
    var holder: String? { nil }
    var media: any MediaStore & Sendable { get throws { try account.media } }

    func stored(_ database: AccountDatabase) throws -> StoredDatabase? { try account.find(database) }
    func missing(_ database: AccountDatabase) -> any Error { account.missing(database) }

    func source(
        of database: AccountDatabase, passphrase: borrowing SecretBytes?, alwaysFolds: Bool,
        progress: ProgressHandler
    ) throws -> any ByteSource {
        try account.source(
            of: database, passphrase: passphrase, alwaysFolds: alwaysFolds, progress: progress)
    }

    func unfolded(_ database: AccountDatabase) throws -> any ByteSource { try account.unfolded(database) }
    func fileToRead(of database: AccountDatabase) throws -> DatabaseFile? {
        try account.fileToRead(of: database)
    }
    func ownFile(of database: AccountDatabase) throws -> DatabaseFile? { try account.ownFile(of: database) }
    func previousCopies(of database: AccountDatabase) throws -> [DatabaseFile] {
        try account.previousCopies(of: database)
    }

    var blocksPrograms: Bool { account.blocksPrograms }
    func releaseDatabases() { account.releaseDatabases() }

    func entries() throws -> (entries: [AccountEntry], leftOut: [String]) { try account.entries() }
    func source(of entry: AccountEntry) throws -> any ByteSource { try account.source(of: entry) }

    func checkContents(
        only isWanted: (AccountEntry) -> Bool, progress: (Int64) throws -> Void
    ) throws -> [(name: String, error: any Error)] {
        try account.checkContents(only: isWanted, progress: progress)
    }
}
