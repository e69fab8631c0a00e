import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets

/// An account that an operation reads, and its passphrase.
struct ReadAccount: Sendable {
    let reader: AccountReader
    let key: SharedSecret
}

extension PassphraseSource {
    /// Gets the passphrase where one is needed, then opens the account. An archive is opened before: its first bytes say
    /// whether. Stored passphrases are not used for it, as it does not say whose it is.
    ///
    /// - Parameter databases: those that are needed.
    func open(
        _ path: FilePath, prefix: String?, databases: [AccountDatabase] = AccountDatabase.allCases,
        in context: OperationContext
    ) async throws -> ReadAccount {
        guard try FileSystem().attributes(of: path)?.kind == .regular,
            !AccountLocation.isDatabaseName(path)
        else {
            let location = try AccountLocation.find(path, prefix: prefix)
            let key = try await passphrase(of: location, in: context)
            return ReadAccount(
                reader: try await context.blocking { _ in try AccountReader(location) }, key: key)
        }
        let (reader, isEncrypted) = try await context.blocking { _ in
            let reader = try AccountReader(.archive(path))
            return (reader, try databases.map { try reader.isEncrypted($0) }.contains(true))
        }
        guard isEncrypted else {
            return ReadAccount(reader: reader, key: SharedSecret(try SecretBytes.empty()))
        }
        if let given = try await read() { return ReadAccount(reader: reader, key: given) }
        let asked = try await context.passphrase(of: path.string, opening: reader, databases)
        return ReadAccount(reader: reader, key: asked)
    }
}

/// An account was in use while it was read.
package struct InUseNote: OperationNote {
    package let path: String
    /// The program that uses it.
    package let holder: String
    /// Whether it was read as of one moment, see `AccountReader`; otherwise its files were looked at where they are.
    package let isSnapshot: Bool

    package var text: String {
        "\(path) is in use by \(holder)" + (isSnapshot ? "; reading a consistent snapshot" : "")
    }

    /// Nil where nobody uses it.
    init?(_ path: String, _ holder: String?, isSnapshot: Bool = true) {
        guard let holder else { return nil }
        self.path = path
        self.holder = holder
        self.isSnapshot = isSnapshot
    }
}

extension OperationContext {
    /// Notes that an account was in use; nil for one that was not.
    func note(_ note: InUseNote?) {
        if let note { events(.note(note)) }
    }
}
