import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Proves through SQLCipher that the new databases open and hold what the previous ones do.
struct RekeyProof: Sendable {
    private let plan: RekeyPlan
    private let keys: RekeyKeys
    private let fileSystem: FileSystem

    init(_ plan: RekeyPlan, _ keys: RekeyKeys, _ fileSystem: FileSystem) {
        self.fileSystem = fileSystem
        self.plan = plan
        self.keys = keys
    }

    /// Starts comparing what SQLite finds in the previous and in the new databases.
    func startComparing(_ staged: [AccountDatabase: FilePath]) -> BackgroundTask<Void> {
        BackgroundTask { cancellation in
            let previous = BackgroundTask { cancellation in
                try summaries(areNew: false, cancellation) { plan.files[$0]?.path }
            }
            let new = try summaries(areNew: true, cancellation) { staged[$0] }
            let before = try previous.value(cancellation.check)
            for (database, path) in staged {
                guard new[database] != nil, new[database] == before[database] else {
                    throw RekeyError.writing(
                        .failed,
                        "the new database differs from the previous one. Nothing was changed.", path
                    )
                }
            }
            // It goes soon, and quicker when memory has nothing of it. Now the disk is what is waited for.
            for file in plan.files.values { try fileSystem.openForReading(file.path).dropCache() }
        }
    }

    private func summaries(
        areNew: Bool, _ cancellation: Cancellation, _ path: @Sendable (AccountDatabase) -> FilePath?
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
        }
        return found.withLock { $0 }
    }

    /// Opens the databases in their places.
    func open(_ path: (AccountDatabase) -> FilePath) throws {
        for database in AccountDatabase.allCases {
            let connection = try connection(to: database, isNew: true, path(database))
            try connection.readFirstPage()
        }
    }

    /// With the keys as they are derived already: SQLCipher would derive them once more.
    private func connection(
        to database: AccountDatabase, isNew: Bool, _ path: FilePath
    ) throws -> Connection {
        let key = isNew ? keys.new[database] : keys.previous[database]?.key
        let passphrase = try key?.rawPassphrase() ?? SecretBytes.empty()
        return try Connection(path, mode: .readOnlyUnderLock, passphrase: passphrase)
    }
}
