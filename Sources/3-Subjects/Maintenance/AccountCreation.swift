import SystemPackage
package import ValiseAccounts
import ValiseChatSchema
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Makes a new account: both databases at the newest schema, and the media folders.
package struct AccountCreation {
    private let fileSystem: FileSystem

    package init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// Creates the account atomically: it is there whole, or not at all.
    ///
    /// - Parameters:
    ///   - location: the folder is made where it is missing; one that holds an account is refused.
    ///   - passphrase: of both databases; empty for none.
    ///   - schema: nil for the newest; else the last migration of each database, for tests and older apps.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what an interrupted run had left there; nil for nothing.
    /// - Throws: `AccountError`: `alreadyExists`, `inUse`; `DatabaseError`; `FileError`.
    @discardableResult
    package func create(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        schema: [AccountDatabase: String] = [:], progress: ProgressHandler = { _ in }
    ) throws -> AccountRecovery? {
        let isNew = try !fileSystem.exists(location.directory)
        try fileSystem.makeDirectories(location.directory)
        var isDone = false
        // A folder that was made for nothing goes again.
        defer { if isNew, !isDone { try? fileSystem.removeDirectory(location.directory) } }
        let account = try AccountWriter(location, fileSystem: fileSystem)
        try refuseExisting(location)
        let change = try account.change("creation")
        do {
            for database in AccountDatabase.allCases {
                try progress(OperationProgress("creating the \(database.rawValue) database"))
                try createDatabase(
                    database, change.stagedPath(of: database), passphrase, upTo: schema[database])
                change.replaces(database)
            }
        } catch let error as any Failure where error.code == .noSpace {
            // The user knows the folder, not the one of the work beside it.
            throw AccountError(
                .noSpace, "not enough free space for a new account. Nothing was changed.", location.directory,
                remedy: .freeSpace(Self.spaceNeeded, in: location.directory))
        }
        change.needsFolder(location.filesName)
        change.needsFolder(location.wallpapersName)
        try change.commit()
        isDone = true
        return account.recovery
    }

    /// Refuses a folder that holds an account, and what is no folder.
    /// - Throws: `AccountError` with `alreadyExists`; `FileError`.
    package func refuseExisting(_ location: AccountLocation) throws {
        let folder = location.directory
        if try fileSystem.exists(folder), try !fileSystem.isDirectory(folder) {
            throw FileError(.unsupported, "not a folder", folder)
        }
        for path in AccountDatabase.allCases.map(location.path) where try fileSystem.exists(path) {
            throw AccountError(
                .alreadyExists,
                "this folder already contains an account. Nothing was changed.",
                path, remedy: .chooseAnotherPrefix)
        }
    }

    /// Both new databases, with their journals and what is written beside them, in bytes.
    private static let spaceNeeded: Int64 = 2 << 20

    /// Refuses a disk that is too full for a new account: before anybody is asked for a passphrase.
    /// - Throws: `AccountError` with `noSpace`; `FileError`.
    package func refuseFullDisk(_ location: AccountLocation) throws {
        let free = try fileSystem.freeSpace(at: fileSystem.nearestExisting(location.directory))
        guard free < Self.spaceNeeded else { return }
        throw AccountError(
            .noSpace,
            "not enough free space for a new account: \(Count.bytes(Self.spaceNeeded)) needed, "
                + "\(Count.bytes(free)) available. Nothing was changed.", location.directory,
            remedy: .freeSpace(Self.spaceNeeded, in: location.directory))
    }

    private func createDatabase(
        _ database: AccountDatabase, _ path: FilePath, _ passphrase: borrowing SecretBytes, upTo: String?
    ) throws {
        let connection = try Connection(path, mode: .create, passphrase: passphrase)
        let list = try MigrationList(database.lineage.migrations, upTo: upTo)
        let result = try Migrator(list).run(on: connection, confirmation: .yesUp)
        guard result == .ok else {
            throw MaintenanceError(
                .failed, "cannot create the schema of the new database", subject: path.string)
        }
        try fileSystem.setPermissions(.ownerReadWrite, of: path)
        try fileSystem.openForUpdating(path).synchronize()
    }
}
