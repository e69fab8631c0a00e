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
        package let place: SnapshotPlace?
        /// Nil where there is no snapshot of it.
        package let snapshot: SnapshotReport?
        /// Why there is none.
        package let failure: (any Failure)?

        init(_ name: String, _ place: SnapshotPlace, _ snapshot: SnapshotReport) {
            (self.name, self.place, self.snapshot) = (name, place, snapshot)
            failure = nil
        }

        init(_ name: String, _ place: SnapshotPlace?, _ error: any Error) {
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
        for problem in account.snapshot?.repositoryProblems ?? [] where !repositoryProblems.contains(problem)
        {
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
