public import SystemPackage
import ValiseAccounts
public import ValiseMaintenance

/// Checks an account for damage, in a folder or in an archive, and changes nothing.
public struct CheckAccount: Operation {
    /// The folder of an account, or an archive.
    package var path: FilePath
    /// The prefix of the database names, where a folder holds several accounts.
    package var prefix: String?
    /// Whether to skip checking tables and indexes.
    package var isQuick: Bool
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - path: the folder of an account, or an archive.
    ///   - prefix: the prefix of the database names, where a folder holds several accounts.
    ///   - isQuick: whether to skip checking tables and indexes.
    ///   - passphrase: opens the databases.
    public init(
        _ path: FilePath, prefix: String? = nil, isQuick: Bool = false,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.path = path
        self.prefix = prefix
        self.isQuick = isQuick
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> AccountCheckReport {
        let account = try await passphrase.open(
            path, prefix: prefix, in: context.asking(to: "check its databases"))
        let report = try await context.blocking { progress in
            try AccountCheck(isQuick: isQuick).check(
                account.reader, passphrase: account.key.bytes, progress: progress)
        }
        context.note(InUseNote(report.path, report.inUse))
        return report
    }
}
