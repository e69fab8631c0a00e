import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseSecrets

/// An account that an operation reads, and its passphrase.
struct ReadAccount: Sendable {
    let reader: AccountReader
    let key: SharedSecret
}

extension PassphraseSource {
    /// Gets the passphrase where one is needed, and opens the account. An archive, a snapshot, or what is in a store is opened
    /// before: its first bytes say whether. Stored passphrases are not used for it, as it does not say whose it is.
    ///
    /// - Parameter databases: those that are needed.
    func open(
        _ path: FilePath, prefix: String?, databases: [AccountDatabase] = AccountDatabase.allCases,
        in context: OperationContext
    ) async throws -> ReadAccount {
        let reader: AccountReader
        if let stored = try StoreName.find(path) {
            reader = try await stored.open(prefix: prefix, in: context)
        } else if let snapshot = try SnapshotName.find(path) {
            reader = try await snapshot.open(in: context)
        } else if try AccountPlace.isArchive(path) {
            reader = try await context.blocking { _ in try AccountReader(.archive(path)) }
        } else {
            return try await open(AccountLocation.find(path, prefix: prefix), in: context)
        }
        let isEncrypted = try await context.blocking { _ in
            try databases.map { try reader.isEncrypted($0) }.contains(true)
        }
        guard isEncrypted else {
            return ReadAccount(reader: reader, key: SharedSecret(try SecretBytes.empty()))
        }
        if let given = try await read() { return ReadAccount(reader: reader, key: given) }
        let asked = try await context.passphrase(of: reader.name, opening: reader, databases)
        return ReadAccount(reader: reader, key: asked)
    }

    /// Gets the passphrase of the account in a folder where one is needed, and opens it. What a typed one opened is what is
    /// read; while the user types, nothing is locked.
    func open(_ location: AccountLocation, in context: OperationContext) async throws -> ReadAccount {
        let open: @Sendable () throws -> AccountReader = { try AccountReader(location) }
        let key: SharedSecret
        if try !AccountReader(asItIs: location).asksForPassphrase() {
            key = SharedSecret(try SecretBytes.empty())
        } else if let given = try await read() {
            key = given
        } else if let stored = try await stored(of: location, in: context) {
            key = stored
        } else {
            let name = location.directory.string
            guard let asked = try await context.askedPassphrase(of: name, opening: open) else {
                throw OperationError.nobodyToAsk(for: name)
            }
            if let account = asked.account { return ReadAccount(reader: account, key: asked.key) }
            key = asked.key
        }
        return ReadAccount(reader: try await context.blocking { _ in try open() }, key: key)
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
