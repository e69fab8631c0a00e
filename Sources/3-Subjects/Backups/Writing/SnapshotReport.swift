package import ValiseAccounts
package import ValiseConcurrency
package import ValisePages
package import ValiseRepository
package import ValiseSessionStore
package import ValiseStorage

/// What a run did, or would do.
package struct SnapshotReport: Sendable {
    /// How many there were.
    package struct Tally: Sendable, Equatable {
        package var new = 0
        package var changed = 0
        package var unchanged = 0

        package var total: Int { new + changed + unchanged }
    }

    /// What was stored of a database.
    package struct Database: Sendable, Equatable {
        package let database: AccountDatabase
        package let mode: BackupMetadata.Mode
        package let pageCount: UInt32
        package let pagesPerGroup: Int
        /// How many groups were not in the repository before.
        package var newGroups: Int
        /// Those whose HMAC did not hold.
        package var damaged = PageSet()
    }

    /// Nil in a dry run.
    package var snapshot: ContentID?
    package var parent: ContentID?
    package var time: RecordTime
    package var files = Tally()
    package var folders = Tally()
    package var databases: [Database] = []
    /// What is known of a store of Session; nil for an account.
    package var session: SessionFacts?
    /// New pieces of files.
    package var dataBlobs = 0
    package var treeBlobs = 0
    /// Content of new blobs, in bytes.
    package var addedSize: Int64 = 0
    /// What they take in the repository, in bytes; nil in a dry run.
    package var storedSize: Int64?
    /// Of all files, in bytes.
    package var totalSize: Int64 = 0
    /// The program that was using the account; nil for none.
    package var holder: String?
    /// What is missing in the snapshot, or not as it should be.
    package var problems: [EntryFailure] = []
    /// What is no part of a backup.
    package var leftOut: [String] = []
    /// Files of the repository that could not be read: what they name was stored again.
    package var repositoryProblems: [String] = []
    /// Of programs that are gone: removed.
    package var staleLocks: [LockRecord] = []
    package var duration = Duration.zero

    /// Whether anything is missing.
    package var isPartial: Bool { !problems.isEmpty }

    init(time: RecordTime) { self.time = time }
}
