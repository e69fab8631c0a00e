import ValiseAccounts
package import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
package import ValiseFailures
import ValiseRepository
package import ValiseStorage

/// What a run stored of accounts, or would store.
package struct BackupRun: OperationReport {
    /// What became of one account.
    package struct Account: Sendable {
        /// As the user calls it.
        package let name: String
        /// By which its snapshots are known: absolute. Nil where it was not found.
        package let place: AccountPlace?
        /// Nil where there is no snapshot of it.
        package let snapshot: SnapshotReport?
        /// Why there is none.
        package let failure: (any Failure)?

        init(_ name: String, _ place: AccountPlace, _ snapshot: SnapshotReport) {
            (self.name, self.place, self.snapshot) = (name, place, snapshot)
            failure = nil
        }

        init(_ name: String, _ place: AccountPlace?, _ error: any Error) {
            (self.name, self.place, snapshot) = (name, place, nil)
            failure = error as? any Failure ?? OperationError(.failed, error.sentence)
        }
    }

    /// Of the repository.
    package let repository: ContentID
    /// As the user wrote it.
    package let place: String
    package private(set) var accounts: [Account] = []
    /// Snapshots that were there before, and are gone without having been forgotten here.
    package var vanished: [String] = []
    /// Files of the repository that cannot be read: what they name was stored again.
    package var repositoryProblems: [String] = []
    package var duration = Duration.zero

    init(_ repository: ContentID, _ place: RepositoryPlace) {
        self.repository = repository
        self.place = place.text
    }

    mutating func add(_ account: Account) {
        accounts.append(account)
        // A plan looks at the repository once for each account.
        for problem in account.snapshot?.repositoryProblems ?? [] where !repositoryProblems.contains(problem) {
            repositoryProblems.append(problem)
        }
    }

    package var hasEntryErrors: Bool { !entryFailures.isEmpty || !repositoryProblems.isEmpty }

    /// Accounts without a snapshot, and what is missing in those that are there.
    package var entryFailures: [EntryFailure] {
        accounts.flatMap { account in
            account.failure.map { [EntryFailure(account.name, Remark($0.message, remedy: $0.remedy))] }
                ?? account.snapshot?.problems ?? []
        }
    }

    /// The failure of the first account, where none was backed up.
    package var failure: (any Failure)? {
        accounts.allSatisfy { $0.failure != nil } ? accounts.first?.failure : nil
    }
}

// MARK: As a document

extension BackupRun {
    private enum Key: String, CodingKey {
        case accounts, missingSnapshots, repository, repositoryId, repositoryProblems, seconds
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place, forKey: .repository)
        try container.encode(repository.text, forKey: .repositoryId)
        try container.encode(accounts.map(AccountDocument.init), forKey: .accounts)
        if !vanished.isEmpty { try container.encode(vanished, forKey: .missingSnapshots) }
        if !repositoryProblems.isEmpty { try container.encode(repositoryProblems, forKey: .repositoryProblems) }
        try container.encode(duration / .seconds(1), forKey: .seconds)
    }

    private struct AccountDocument: Encodable {
        struct Problem: Encodable {
            let name: String
            let message: Remark
        }

        struct Failed: Encodable {
            let code: String
            let message: Remark
        }

        let account: String
        let failure: Failed?
        let snapshot: SnapshotDocument?

        init(_ entry: Account) {
            account = entry.place?.snapshotPath.string ?? entry.name
            failure = entry.failure.map {
                Failed(code: $0.code.rawValue, message: Remark($0.message, remedy: $0.remedy))
            }
            snapshot = entry.snapshot.map(SnapshotDocument.init)
        }
    }

    private struct SnapshotDocument: Encodable {
        struct Tally: Encodable {
            let new: Int
            let changed: Int
            let unchanged: Int

            init(_ tally: SnapshotReport.Tally) {
                (new, changed, unchanged) = (tally.new, tally.changed, tally.unchanged)
            }
        }

        struct Database: Encodable {
            let database: String
            let mode: String
            let pages: UInt32
            let pagesPerGroup: Int
            let newGroups: Int
            let damagedPages: Int
        }

        let id: String?
        let parent: String?
        let time: String
        let files: Tally
        let folders: Tally
        let databases: [Database]
        let newBlobs: Int
        let size: Int64
        let addedSize: Int64
        let storedSize: Int64?
        let inUse: String?
        let problems: [AccountDocument.Problem]?
        let leftOut: [String]?
        let seconds: Double

        init(_ report: SnapshotReport) {
            id = report.snapshot?.text
            parent = report.parent?.text
            time = report.time.text
            files = Tally(report.files)
            folders = Tally(report.folders)
            databases = report.databases.map {
                Database(
                    database: $0.database.rawValue, mode: $0.mode.rawValue, pages: $0.pageCount,
                    pagesPerGroup: $0.pagesPerGroup, newGroups: $0.newGroups, damagedPages: $0.damaged.count)
            }
            newBlobs = report.dataBlobs + report.treeBlobs
            (size, addedSize, storedSize) = (report.totalSize, report.addedSize, report.storedSize)
            inUse = report.holder
            let problems = report.problems.map { AccountDocument.Problem(name: $0.entry, message: $0.reason) }
            self.problems = problems.isEmpty ? nil : problems
            leftOut = report.leftOut.isEmpty ? nil : report.leftOut
            seconds = report.duration / .seconds(1)
        }
    }
}
