package import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
import ValiseRepository
import ValiseStorage

/// Shows what is in a snapshot.
package struct ShowSnapshot: Operation {
    package var repository: RepositoryInput
    /// The first digits of its ID, or `latest`.
    package var snapshot: String

    package init(_ snapshot: String, in repository: RepositoryInput) {
        self.repository = repository
        self.snapshot = snapshot
    }

    /// - Throws: `RepositoryError`; `BackupError`: `notFound` where no account is in it; `StorageError`.
    package func run(in context: OperationContext) async throws -> ShownSnapshot {
        try await repository.locked(in: context) { [self] opened, progress in
            let found = try opened.snapshot(snapshot)
            try progress(OperationProgress("reading the snapshot"))
            let contents = try SnapshotRestore(opened.repository, found).contents()
            return ShownSnapshot(
                sketch: SnapshotSketch(found), account: contents.metadata.map { BackedUpAccount($0) },
                files: contents.files.sorted(by: AccountEntry.precedes).map { SnapshotFile($0) })
        }
    }
}

/// What is in a snapshot.
package struct ShownSnapshot: OperationReport {
    package let sketch: SnapshotSketch
    /// What the snapshot says of the account; nil where Valise did not make it.
    package let account: BackedUpAccount?
    /// In the order of their names.
    package let files: [SnapshotFile]

    private enum CodingKeys: String, CodingKey {
        case account, files
        case sketch = "snapshot"
    }
}

/// A file of a snapshot.
package struct SnapshotFile: Sendable, Encodable {
    /// As in an archive.
    package let name: String
    /// `database`, `media`, `wallpaper`, or `other` for what is no part of an account.
    package let role: EntryRole
    /// In bytes.
    package let size: Int64
    /// When it was last changed, in UTC; nil where that is not known.
    package let modified: String?

    init(_ entry: AccountEntry) {
        name = entry.name
        role = entry.role
        size = entry.size
        modified = entry.modified?.isoText
    }
}

/// What a snapshot says of the account that it is of.
package struct BackedUpAccount: Sendable, Encodable {
    /// A database.
    package struct Database: Sendable, Encodable {
        package let database: AccountDatabase
        /// `open`, `sealed` or `unencrypted`.
        package let mode: String
        /// In bytes.
        package let pageSize: Int
        package let pages: Int64
        /// How many of them were damaged already when it was backed up.
        package let damagedPages: Int
    }

    /// `open` or `sealed`.
    package let mode: String
    /// What the names of the databases began with.
    package let prefix: String
    /// Whether a program was using the account.
    package let isInUse: Bool
    package let databases: [Database]
    /// What is known of a store of Session; nil for an account.
    package let session: BackedUpSession?
    /// Files that are not in it, or not as they should be.
    package let problems: [Problem]
    /// Files that are no part of a backup, such as links.
    package let leftOut: [String]
    /// The newest snapshot of the same machine and account before this one.
    package let previous: String?
    /// What made it.
    package let program: String

    /// A file that is not in the snapshot, or not as it should be.
    package struct Problem: Sendable, Encodable, Equatable {
        package let name: String
        package let reason: String
    }

    init(_ metadata: BackupMetadata) {
        mode = metadata.mode.rawValue
        prefix = metadata.prefix
        isInUse = metadata.isInUse
        databases = metadata.databases.map {
            Database(
                database: $0.database, mode: $0.mode.rawValue, pageSize: $0.pageSize,
                pages: Int64($0.pageCount), damagedPages: $0.damaged.count)
        }
        session = metadata.session.map(BackedUpSession.init)
        problems = metadata.problems.map { Problem(name: $0.name, reason: $0.reason) }
        leftOut = metadata.leftOut
        previous = metadata.previous?.text
        program = metadata.program
    }

    /// Whether all of the account is in the snapshot, undamaged.
    package var isComplete: Bool { problems.isEmpty && databases.allSatisfy { $0.damagedPages == 0 } }
}
