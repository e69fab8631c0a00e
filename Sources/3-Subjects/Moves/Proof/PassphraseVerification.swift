import Synchronization
import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// Opens both databases, wherever they are.
enum PassphraseVerification {
    /// The keys are derived side by side, as each takes as long as hundreds of megabytes of reading.
    /// - Throws: as `ChatDatabase.connect`, of the chat database where neither opens.
    static func run(_ passphrase: borrowing SecretBytes, _ sources: [AccountDatabase: any ByteSource]) throws
    {
        let secret = SharedSecret(try passphrase.duplicate())
        let ordered = AccountDatabase.allCases.compactMap { sources[$0] }
        let failures = Mutex<[Int: any Error]>([:])
        try ParallelBatches.run(count: ordered.count) {
        } work: { _, index in
            do {
                _ = try ChatDatabase.connect(ordered[index], passphrase: secret.bytes)
            } catch {
                failures.withLock { $0[index] = error }
            }
        }
        // Not whichever came first in time: the same account gives the same answer.
        if let first = failures.withLock({ $0.min { $0.key < $1.key }?.value }) { throw first }
    }

    /// The databases in their place, without a lock of SQLite's.
    /// - Throws: as `ChatDatabase.connect`; ``FileError``.
    static func run(
        _ passphrase: borrowing SecretBytes, _ location: AccountLocation, _ fileSystem: FileSystem
    ) throws {
        var sources: [AccountDatabase: any ByteSource] = [:]
        for database in AccountDatabase.allCases {
            sources[database] = try FileSource(location.path(of: database), fileSystem: fileSystem)
        }
        try run(passphrase, sources)
    }
}
