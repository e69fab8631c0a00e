import ValiseBackups
import ValiseEncoding
import ValiseRepository
import ValiseStorage

/// How old the newest snapshot of each account is, and when the repository was verified.
package struct BackupStatus: OperationReport {
    /// The snapshots of one account.
    package struct Account: Sendable {
        /// The path by which its snapshots are known.
        package let name: String
        /// Of the machine that made them.
        package let hostname: String
        /// The newest one, in hexadecimal digits.
        package private(set) var newest: String?
        /// When it was begun, in seconds since 1970.
        package private(set) var newestTime: Int64?
        /// Whether files are missing in it.
        package private(set) var isPartial = false
        /// When the newest one was begun in which nothing is missing.
        package private(set) var completeTime: Int64?
        package private(set) var drill: RepositoryMemory.Event?
        /// Of the last try, where it made no snapshot.
        package private(set) var failure: RepositoryMemory.Failure?
        /// Whether no complete snapshot is young enough.
        package private(set) var isLate = true

        init(name: String, hostname: String) {
            self.name = name
            self.hostname = hostname
        }

        /// - Parameter isOnline: whether the repository itself says what snapshots there are.
        mutating func note(_ memory: RepositoryMemory.Account?, isOnline: Bool) {
            drill = memory?.lastDrill
            failure = memory?.lastFailure
            guard !isOnline, let run = memory?.lastRun else { return }
            (newest, newestTime, isPartial) = (run.snapshot, run.time, !run.hasSucceeded)
            completeTime = run.hasSucceeded ? run.time : nil
        }

        /// - Parameter snapshots: of the account, the oldest first.
        mutating func note(_ snapshots: [StoredSnapshot]) {
            guard let last = snapshots.last else { return }
            (newest, newestTime) = (last.id.text, last.record.time.seconds)
            isPartial = last.isPartial
            completeTime = snapshots.last { !$0.isPartial }?.record.time.seconds
        }

        mutating func judge(now: Int64, maxAge: Int64) {
            isLate = completeTime.map { now - $0 > maxAge } ?? true
        }
    }

    /// Of the repository, in hexadecimal digits.
    package let repository: String
    package let place: String
    /// When it was looked, in seconds since 1970.
    package var time: Int64 = 0
    package var accounts: [Account] = []
    /// Of all accounts; nil where the repository was not looked at.
    package var snapshotCount: Int?
    package private(set) var verification: RepositoryMemory.Event?
    /// When all data had been read.
    package private(set) var completeReading: Int64?
    /// Snapshots that are gone without having been forgotten here, and when that was seen.
    package var vanished: [String: Int64] = [:]
    /// Files of the repository that cannot be read.
    package var problems: [String] = []

    /// So long it is told that snapshots vanished.
    private static let alarm: Int64 = 7 * 86_400

    init(_ repository: String, _ place: String) {
        self.repository = repository
        self.place = place
    }

    mutating func note(_ memory: RepositoryMemory?) {
        verification = memory?.lastVerification
        completeReading = memory?.lastCompleteReading
        for (name, seen) in memory?.vanished ?? [:] where time - seen <= Self.alarm { vanished[name] = seen }
    }

    /// Whether somebody should look: a snapshot is too old or missing, or something was found to be wrong.
    package var isOverdue: Bool {
        accounts.isEmpty || accounts.contains { $0.isLate || $0.drill?.hasSucceeded == false }
            || verification?.hasSucceeded == false || !vanished.isEmpty || !problems.isEmpty
    }
}

extension StoredSnapshot {
    /// Whether files are missing in it, as its maker says.
    fileprivate var isPartial: Bool { record.tags.contains("partial") }
}
