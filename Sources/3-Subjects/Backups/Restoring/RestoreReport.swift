package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
package import ValiseStorage

/// What was restored.
package struct RestoreReport: Sendable {
    /// A database.
    package struct Database: Sendable, Equatable {
        package let database: AccountDatabase
        /// As it is in the snapshot.
        package let mode: BackupMetadata.Mode
        /// Whether a passphrase is needed for the restored one.
        package let isEncrypted: Bool
        package let size: Int64
    }

    package let snapshot: ContentID
    package let folder: FilePath
    package let prefix: String
    package var databases: [Database] = []
    /// Media and all else.
    package var files = 0
    /// Of all files, in bytes.
    package var size: Int64 = 0
    /// Files that are not there, and why.
    package var problems: [EntryFailure] = []
    /// What the snapshot itself says that it has not.
    package var missingInSnapshot: [BackupMetadata.Problem] = []
    package var duration = Duration.zero

    init(snapshot: ContentID, folder: FilePath, prefix: String) {
        self.snapshot = snapshot
        self.folder = folder
        self.prefix = prefix
    }
}
