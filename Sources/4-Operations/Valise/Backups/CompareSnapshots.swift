package import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseRepository

/// Compares two snapshots of a repository: files, and in databases that are kept open rows and messages. Files whose pieces are
/// the same are not read.
package struct CompareSnapshots: Operation {
    package var repository: RepositoryInput
    /// The first digits of its ID, or `latest`.
    package var first: String
    /// Likewise.
    package var second: String

    package init(_ first: String, _ second: String, in repository: RepositoryInput) {
        self.repository = repository
        self.first = first
        self.second = second
    }

    /// - Throws: `RepositoryError`; `BackupError`; `StorageError`; as `AccountComparison`.
    package func run(in context: OperationContext) async throws -> ComparedSnapshots {
        try await repository.locked(in: context) { [self] opened, progress in
            let place = repository.place.text
            let (left, right) = (try opened.snapshot(first), try opened.snapshot(second))
            let here = AccountReader(try SnapshotStorage(opened.repository, left, at: place))
            let there =
                left == right
                ? here : AccountReader(try SnapshotStorage(opened.repository, right, at: place))
            // Sealed ones are compared by their bytes.
            let comparison = try AccountComparison().compare(
                here, there, passphrase: nil, otherPassphrase: nil, progress: progress)
            return ComparedSnapshots(
                first: SnapshotSketch(left), second: SnapshotSketch(right), comparison: comparison)
        }
    }
}

/// What differs between two snapshots.
package struct ComparedSnapshots: OperationReport {
    package let first: SnapshotSketch
    package let second: SnapshotSketch
    /// As between two accounts.
    package let comparison: ComparisonReport
}
