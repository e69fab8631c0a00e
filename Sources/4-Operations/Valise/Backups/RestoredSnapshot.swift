import SystemPackage
package import ValiseAccountArchives
package import ValiseAccounts
import ValiseBackups
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures

/// What was restored.
package struct RestoredSnapshot: OperationReport {
    /// A database.
    package struct Database: Sendable, Encodable {
        package let database: AccountDatabase
        /// As it is in the snapshot: `open`, `sealed` or `unencrypted`.
        package let mode: String
        /// Whether a passphrase is needed for the restored one.
        package let isEncrypted: Bool
        /// In bytes.
        package let size: Int64
    }

    package let snapshot: SnapshotSketch
    /// The folder of the account.
    package let directory: String
    /// What the names of its databases begin with.
    package let prefix: String
    package var databases: [Database] = []
    /// What is known of a store of Session; nil for an account.
    package var session: BackedUpSession?
    /// Media and all else.
    package var files = 0
    /// Of all files, in bytes.
    package var size: Int64 = 0
    /// Files that are there already, and stayed as they are.
    package var skipped = 0
    /// Files that could not be read, or were missing in the snapshot already.
    package var entryFailures: [EntryFailure] = []
    package var replacedAccount = false
    /// How old the snapshot is against the account that it replaced; nil where none was.
    package var age: ImportAge?
    /// Where the replaced account is kept; nil where it is not.
    package var keptPrevious: KeptPrevious?
    package var seconds: Double = 0
    /// What an interrupted run had left; nil for nothing.
    var recovery: AccountRecovery?

    init(_ snapshot: SnapshotSketch, in location: AccountLocation, skipped: Int) {
        self.snapshot = snapshot
        directory = location.directory.string
        prefix = location.prefix
        self.skipped = skipped
    }

    /// - Parameter files: names of the snapshot's files, which may not be as they should be all the same.
    init(_ snapshot: SnapshotSketch, _ report: RestoreReport, files names: Set<String> = []) {
        self.snapshot = snapshot
        directory = report.folder.string
        prefix = report.prefix
        databases = report.databases.map {
            Database(
                database: $0.database, mode: $0.mode.rawValue, isEncrypted: $0.isEncrypted, size: $0.size)
        }
        files = report.files
        size = report.size
        entryFailures =
            report.problems
            + report.missingInSnapshot.map {
                let state = names.contains($0.name) ? "since it was backed up" : "not in the snapshot"
                return EntryFailure($0.name, Remark("\(state): \($0.reason)"))
            }
        seconds = report.duration / .seconds(1)
    }

    /// Tells of a file that was restored and is not as it should be, in the place of what the snapshot says of it.
    mutating func tell(_ failure: EntryFailure) {
        entryFailures.removeAll { $0.entry == failure.entry }
        entryFailures.append(failure)
    }

    private enum CodingKeys: CodingKey {
        case snapshot, directory, prefix, databases, session, files, size, skipped, problems, replacedAccount,
            age
        case keptPrevious, seconds
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encode(directory, forKey: .directory)
        try container.encode(prefix, forKey: .prefix)
        try container.encode(databases, forKey: .databases)
        try container.encodeIfPresent(session, forKey: .session)
        try container.encode(files, forKey: .files)
        try container.encode(size, forKey: .size)
        try container.encode(skipped, forKey: .skipped)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
        try container.encode(replacedAccount, forKey: .replacedAccount)
        try container.encodeIfPresent(age, forKey: .age)
        try container.encodeIfPresent(keptPrevious, forKey: .keptPrevious)
        try container.encode(seconds, forKey: .seconds)
    }
}
