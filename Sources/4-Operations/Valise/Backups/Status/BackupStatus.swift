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
            (newest, newestTime, isPartial) = (run.snapshot, run.time, !run.isGood)
            completeTime = run.isGood ? run.time : nil
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
    package var isDue: Bool {
        accounts.isEmpty || accounts.contains { $0.isLate || $0.drill?.isGood == false }
            || verification?.isGood == false || !vanished.isEmpty || !problems.isEmpty
    }
}

extension StoredSnapshot {
    /// Whether files are missing in it, as its maker says.
    fileprivate var isPartial: Bool { record.tags.contains("partial") }
}

// MARK: As a document

extension BackupStatus {
    private enum Key: String, CodingKey {
        case accounts, completeReading, isDue, missingSnapshots, problems, repository, repositoryId
        case snapshotCount, time, verification
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place, forKey: .repository)
        try container.encode(repository, forKey: .repositoryId)
        try container.encode(Self.text(time), forKey: .time)
        try container.encode(accounts.map { AccountDocument($0, now: time) }, forKey: .accounts)
        try container.encodeIfPresent(snapshotCount, forKey: .snapshotCount)
        try container.encodeIfPresent(verification.map(EventDocument.init), forKey: .verification)
        try container.encodeIfPresent(completeReading.map(Self.text), forKey: .completeReading)
        let missing = vanished.sorted { $0.key < $1.key }.map {
            Missing(id: $0.key, noticed: Self.text($0.value))
        }
        if !missing.isEmpty { try container.encode(missing, forKey: .missingSnapshots) }
        if !problems.isEmpty { try container.encode(problems, forKey: .problems) }
        try container.encode(isDue, forKey: .isDue)
    }

    private static func text(_ time: Int64) -> String { UTCTime(seconds: time).isoText }

    private struct Missing: Encodable {
        let id: String
        let noticed: String
    }

    private struct EventDocument: Encodable {
        let time: String
        let isGood: Bool
        let snapshot: String?
        let extent: String?

        init(_ event: RepositoryMemory.Event) {
            time = BackupStatus.text(event.time)
            (isGood, snapshot, extent) = (event.isGood, event.snapshot, event.extent)
        }
    }

    private struct AccountDocument: Encodable {
        struct Snapshot: Encodable {
            let id: String?
            let time: String
            let isPartial: Bool
        }

        struct Failed: Encodable {
            let time: String
            let message: String
        }

        let account: String
        let hostname: String
        let snapshot: Snapshot?
        let lastComplete: String?
        /// Of the last complete one, in seconds.
        let age: Int64?
        let drill: EventDocument?
        let lastFailure: Failed?
        let isLate: Bool

        init(_ entry: Account, now: Int64) {
            account = entry.name
            hostname = entry.hostname
            snapshot = entry.newestTime.map {
                Snapshot(id: entry.newest, time: BackupStatus.text($0), isPartial: entry.isPartial)
            }
            lastComplete = entry.completeTime.map(BackupStatus.text)
            age = entry.completeTime.map { max(0, now - $0) }
            drill = entry.drill.map(EventDocument.init)
            lastFailure = entry.failure.map { Failed(time: BackupStatus.text($0.time), message: $0.message) }
            isLate = entry.isLate
        }
    }
}
