import Accounts
import Database
import Failures
import Files
import PageCipher
import Secrets
import Synchronization
import SystemPackage

/// Proves through SQLCipher that the new databases open and hold what the former ones do.
struct RekeyProof: Sendable {
    private let plan: RekeyPlan
    private let keys: RekeyKeys

    init(_ plan: RekeyPlan, _ keys: RekeyKeys) {
        self.plan = plan
        self.keys = keys
    }

    /// Starts counting what the former databases hold, which goes on while the new ones are written.
    func startCounting() -> BackgroundTask<[AccountDatabase: DatabaseSummary]> {
        BackgroundTask { cancellation in
            try summaries(areNew: false, cancellation) { plan.files[$0]?.path }
        }
    }

    /// Compares what SQLite finds in the former and the new databases.
    func compare(
        _ former: [AccountDatabase: DatabaseSummary], _ progress: ProgressHandler,
        staged: (AccountDatabase) -> FilePath
    ) throws {
        let paths = Dictionary(uniqueKeysWithValues: AccountDatabase.allCases.map { ($0, staged($0)) })
        let activity = WorkProgress("comparing the new databases with the former ones")
        let new = try summaries(areNew: true, Cancellation()) {
            paths[$0]
        } report: {
            try progress(activity)
        }
        for database in AccountDatabase.allCases {
            guard new[database] != nil, new[database] == former[database] else {
                throw RekeyError.writing(
                    .failed, "the new database does not hold what the former one does; nothing was changed",
                    staged(database))
            }
        }
    }

    private func summaries(
        areNew: Bool, _ cancellation: Cancellation, _ path: @Sendable (AccountDatabase) -> FilePath?,
        report: () throws -> Void = {}
    ) throws -> [AccountDatabase: DatabaseSummary] {
        let found = Mutex<[AccountDatabase: DatabaseSummary]>([:])
        let databases = AccountDatabase.allCases
        try ParallelBatches.run(count: databases.count) {
        } work: { _, index in
            guard let path = path(databases[index]) else { return }
            let connection = try connection(to: databases[index], isNew: areNew, path)
            let summary = try connection.supervised(by: cancellation.check) {
                try DatabaseSummary(connection, plan.conversion)
            }
            found.withLock { $0[databases[index]] = summary }
        } report: { _ in
            do {
                try report()
            } catch {
                cancellation.cancel()
                throw error
            }
        }
        return found.withLock { $0 }
    }

    /// Opens the databases in their places.
    func open(_ path: (AccountDatabase) -> FilePath) throws {
        for database in AccountDatabase.allCases {
            let connection = try connection(to: database, isNew: true, path(database))
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
        }
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
