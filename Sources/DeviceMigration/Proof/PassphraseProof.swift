import AccountMedia
import Accounts
import Files
import Secrets

/// Opens both databases, wherever they are.
enum PassphraseProof {
    /// The keys are derived side by side, as each takes as long as hundreds of megabytes of reading.
    /// - Throws: as `ChatDatabase.connect`.
    static func run(_ passphrase: borrowing SecretBytes, _ sources: [AccountDatabase: any ByteSource]) throws
    {
        let secret = SharedSecret(try passphrase.duplicate())
        let ordered = AccountDatabase.allCases.compactMap { sources[$0] }
        try ParallelBatches.run(count: ordered.count) {
        } work: { _, index in
            _ = try ChatDatabase.connect(ordered[index], passphrase: secret.bytes)
        }
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
