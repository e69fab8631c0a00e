import Synchronization
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// The keys of both databases, previous and new. All derivations run side by side, since each takes as long as
/// hundreds of megabytes of pages.
struct RekeyKeys: Sendable {
    /// The previous files, opened; empty where they are not encrypted.
    private(set) var previous: [AccountDatabase: EncryptedDatabaseFile] = [:]
    /// Keys of the new files; empty where they shall not be encrypted.
    private(set) var new: [AccountDatabase: CipherKey] = [:]

    var ordered: [(AccountDatabase, EncryptedDatabaseFile)] {
        AccountDatabase.allCases.compactMap { database in previous[database].map { (database, $0) } }
    }

    /// Databases whose header asks for a write-ahead log although none lies beside them.
    func hiddenLogs() throws -> Set<AccountDatabase> {
        Set(try ordered.filter { try $0.1.asksForLog() }.map(\.0))
    }

    static func derive(
        _ plan: RekeyPlan, _ config: DBEncryptionConfig, _ fileSystem: FileSystem
    ) throws -> RekeyKeys {
        let keys = Mutex(RekeyKeys())
        let failures = Mutex<[AccountDatabase: any Error]>([:])
        var work: [@Sendable () throws -> Void] = []
        for database in AccountDatabase.allCases {
            guard let file = plan.files[database] else { continue }
            if [.rekey, .decrypt].contains(plan.conversion) {
                work.append {
                    do {
                        let opened = try PassphraseProof.open(file.path, config.currentKey, fileSystem)
                        keys.withLock { $0.previous[database] = opened }
                    } catch {
                        // Which one is tried first is chance: what is told is not.
                        failures.withLock { $0[database] = error }
                    }
                }
            }
            if [.rekey, .encrypt].contains(plan.conversion), !config.isUnchanged {
                work.append {
                    let key = try CipherKey(
                        passphrase: config.newKey, salt: KeyDerivation.makeSalt(), settings: .format4)
                    keys.withLock { $0.new[database] = key }
                }
            }
        }
        let all = work
        try ParallelBatches.run(count: all.count) {
        } work: { _, index in
            try all[index]()
        }
        try PassphraseProof.refuse(failures.withLock { $0 })
        return keys.withLock { $0 }
    }
}
