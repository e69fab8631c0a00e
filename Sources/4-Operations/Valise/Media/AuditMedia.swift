public import SystemPackage
import ValiseAccounts
public import ValiseMedia

/// Compares media files with the messages that refer to them, in a folder or an archive. Read-only.
public struct AuditMedia: Operation {
    /// The folder of an account, or an archive.
    package var path: FilePath
    /// The prefix of the database names, where a folder holds several accounts.
    package var prefix: String?
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - path: the folder of an account, or an archive.
    ///   - prefix: the prefix of the database names, where a folder holds several accounts.
    ///   - passphrase: opens the databases.
    public init(
        of path: FilePath, prefix: String? = nil, passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.path = path
        self.prefix = prefix
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> MediaAuditReport {
        let account = try await passphrase.open(
            path, prefix: prefix, databases: [.chat], in: context.asking(to: "check its media"))
        let report = try await context.blocking { progress in
            try MediaAudit().audit(account.reader, passphrase: account.key.bytes, progress: progress)
        }
        context.note(InUseNote(report.path, report.inUse))
        return report
    }
}
