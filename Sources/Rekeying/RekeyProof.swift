import Accounts
import Database
import Failures
import Files
import PageCipher
import Secrets
import Synchronization
import SystemPackage

/// Proves through SQLCipher that the new databases open and hold what the former ones do.
struct RekeyProof {
    private let plan: RekeyPlan
    private let keys: RekeyKeys
    private let config: DBEncryptionConfig

    init(_ plan: RekeyPlan, _ keys: RekeyKeys, _ config: DBEncryptionConfig) {
        self.plan = plan
        self.keys = keys
        self.config = config
    }

    /// Compares what SQLite finds in the former and the new databases.
    func compare(_ progress: ProgressHandler, staged: (AccountDatabase) -> FilePath) throws {
        try progress(WorkProgress("comparing the new databases with the former ones"))
        var work: [(AccountDatabase, isNew: Bool, FilePath)] = []
        for database in AccountDatabase.allCases {
            guard let former = plan.files[database] else { continue }
            work.append((database, false, former.path))
            work.append((database, true, staged(database)))
        }
        let all = work
        let found = Mutex<[AccountDatabase: [Bool: DatabaseSummary]]>([:])
        try ParallelBatches.run(count: all.count) {
        } work: { _, index in
            let (database, isNew, path) = all[index]
            let summary = try summary(of: database, isNew: isNew, path)
            found.withLock { $0[database, default: [:]][isNew] = summary }
        } report: { _ in
            try progress(WorkProgress("comparing the new databases with the former ones"))
        }
        for database in AccountDatabase.allCases {
            let summaries = found.withLock { $0[database] ?? [:] }
            guard summaries[true] != nil, summaries[true] == summaries[false] else {
                throw RekeyError.writing(
                    .failed, "the new database does not hold what the former one does; nothing was changed",
                    staged(database))
            }
        }
    }

    /// Opens the databases in their places.
    func open(_ path: (AccountDatabase) -> FilePath) throws {
        for database in AccountDatabase.allCases {
            let connection = try connection(to: database, isNew: true, path(database))
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
        }
    }

    private func summary(
        of database: AccountDatabase, isNew: Bool, _ path: FilePath
    ) throws -> DatabaseSummary {
        try DatabaseSummary(connection(to: database, isNew: isNew, path), plan.conversion)
    }

    /// With the keys as they are derived already: SQLCipher would derive them once more.
    private func connection(
        to database: AccountDatabase, isNew: Bool, _ path: FilePath
    ) throws -> Connection {
        let key = isNew ? keys.new[database] : keys.former[database]?.key
        let passphrase = try key?.rawPassphrase() ?? SecretBytes.empty()
        return try Connection(path, mode: .readOnlyUnderLock, passphrase: passphrase)
    }
}
