package import ValiseAccounts

/// What a restore is of.
package struct RestoreContents: Sendable {
    /// Nil where Valise did not make the snapshot.
    package let metadata: BackupMetadata?
    /// The selected files.
    package let files: [AccountEntry]

    /// In bytes.
    package var size: Int64 { files.reduce(0) { $0 + $1.size } }
    /// Whether a database is among them.
    package var hasDatabase: Bool { files.contains { $0.role == .database } }
    /// Whether a passphrase is needed to encrypt a database.
    package var needsPassphrase: Bool {
        AccountDatabase.allCases.contains { database in
            metadata?[database]?.mode == .open
                && files.contains { $0.role == .database && $0.name == database.archiveName }
        }
    }
}
