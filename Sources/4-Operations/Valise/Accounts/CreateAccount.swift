import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
import ValiseKeys
import ValiseMaintenance
public import ValiseSecrets

/// Creates an account: both databases at the newest schema, and the media folders.
public struct CreateAccount: Operation {
    package var account: AccountLocation
    /// Gives its passphrase, the empty one for no encryption.
    package var passphrase: @Sendable () async throws -> SharedSecret
    /// Whether the passphrase is the one that a key store has for this account; nobody else gives it then.
    public var takesStored = false
    /// Where the passphrase is kept too; nil for nowhere.
    public var keyStore: KeyStoreChoice?
    /// Whether a keyring may show a dialog.
    package var mayPrompt = true

    /// - Parameters:
    ///   - account: where it is made; nothing may be there.
    ///   - passphrase: gives the passphrase, which may be empty for unencrypted databases.
    public init(
        _ account: AccountLocation, passphrase: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.account = account
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> CreatedAccount {
        // A store that cannot be used is told before anything is made.
        try await context.blocking { _ in try store(context)?.check() }
        let key = try await key(context)
        let recovery = try await context.blocking { progress in
            try AccountCreation().create(account, passphrase: key.bytes, progress: progress)
        }
        context.note(RecoveryNote(recovery))
        try await context.blocking { _ in try keep(key, context) }
        return CreatedAccount(
            directory: account.directory.string, prefix: account.prefix, encrypted: !key.bytes.isEmpty)
    }

    private func key(_ context: OperationContext) async throws -> SharedSecret {
        guard takesStored else {
            let key = try await passphrase()
            context.note(new: key)
            return key
        }
        return try await context.blocking { _ in
            let search = try KeyStores(context.folders, mayPrompt: mayPrompt).search(nil)
            guard let found = try search.lookup(try KeyOwner(account)) else {
                throw OperationError(
                    .notFound, "no key store has a passphrase for this account",
                    subject: account.directory.string, need: .storedPassphrase)
            }
            return SharedSecret(found.take())
        }
    }

    private func store(_ context: OperationContext) throws -> (any KeyStore)? {
        try keyStore.map { try KeyStores(context.folders, mayPrompt: mayPrompt).store($0) }
    }

    private func keep(_ key: SharedSecret, _ context: OperationContext) throws {
        do {
            try store(context)?.store(key.bytes, for: try KeyOwner(account))
        } catch let error as KeyStorageError {
            throw KeyStorageError(
                error.kind, error.code,
                "the account was created, but its passphrase is not stored: \(error.message)", error.subject)
        }
    }
}

/// An account that was created.
public struct CreatedAccount: OperationReport {
    package let type = "accountCreated"
    /// The account's folder.
    public let directory: String
    package let prefix: String
    /// Whether the databases have a passphrase.
    public let encrypted: Bool
}
