import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseKeys
import ValiseMaintenance
public import ValiseSecrets

/// Creates an account: both databases at the newest schema, and the media folders; without encryption after
/// ``Question/createUnencrypted(_:)``.
public struct CreateAccount: Operation {
    package var account: AccountLocation
    /// Gives its passphrase, the empty one for no encryption.
    package var passphrase: @Sendable () async throws -> SharedSecret
    /// Whether ``passphrase`` asks nobody, so that a plan can judge what it gives.
    package var hasPassphrase = false
    /// Whether to use the passphrase that a key store has for this account, and no other.
    public var takesStored = false
    /// The key store that also keeps the passphrase; nil for none.
    public var keyStore: KeyStoreChoice?
    /// Whether the passphrase may be easy to guess.
    public var allowsWeak = false
    /// Whether a keyring may show a dialog.
    package var mayPrompt = true

    /// - Parameters:
    ///   - account: where it is created; nothing may exist there.
    ///   - passphrase: returns the passphrase; empty for unencrypted databases.
    public init(
        _ account: AccountLocation, passphrase: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.account = account
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        let planned: PlannedFiles = try await context.blocking { _ in
            try refuse(context)
            var plan = PlannedFiles()
            try plan.write(AccountDatabase.allCases.map(account.path))
            // Folders that are there stay as they are.
            plan.created += try [account.filesFolder, account.wallpapersFolder].filter {
                try !FileSystem().exists($0)
            }
            try plan.lookAtSpace(for: account.path(of: .chat))
            return plan
        }
        if hasPassphrase || takesStored { _ = try await key(context) }
        return planned
    }

    public func run(in context: OperationContext) async throws -> CreatedAccount {
        try await context.blocking { _ in try refuse(context) }
        let key = try await key(context)
        if key.bytes.isEmpty {
            try await context.questions.require(
                .createUnencrypted(account),
                unasked: .unasked("creating an unencrypted account", subject: account.directory.string))
        }
        let recovery = try await context.blocking { progress in
            try AccountCreation().create(account, passphrase: key.bytes, progress: progress)
        }
        context.note(RecoveryNote(recovery))
        try await context.blocking { _ in try keep(key, context) }
        return CreatedAccount(
            directory: account.directory.string, prefix: account.prefix, encrypted: !key.bytes.isEmpty)
    }

    /// What stands in the way is told before anything is asked or made: a store that cannot be used, an account that is there, a
    /// full disk.
    private func refuse(_ context: OperationContext) throws {
        try store(context)?.check()
        try AccountCreation().refuseExisting(account)
        try AccountCreation().refuseFullDisk(account)
    }

    private func key(_ context: OperationContext) async throws -> SharedSecret {
        guard takesStored else {
            let key = try await passphrase().rememberingKeys()
            try context.accept(new: key, evenIfWeak: allowsWeak)
            return key
        }
        return try await context.blocking { _ in
            let search = try KeyStores(context.folders, mayPrompt: mayPrompt).search(nil)
            guard let found = try search.lookup(try KeyOwner(account)) else {
                throw OperationError(
                    .notFound, "no key store has a passphrase for this account",
                    subject: account.directory.string, need: .storedPassphrase)
            }
            return try SharedSecret(found.take()).rememberingKeys()
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
                "account created, but its passphrase was not stored: \(error.message)", error.subject,
                remedy: error.remedy)
        }
    }
}

/// An account that was created.
public struct CreatedAccount: OperationReport {
    package let type = "accountCreated"
    /// The account's folder.
    package let directory: String
    package let prefix: String
    /// Whether the databases have a passphrase.
    public let encrypted: Bool
}
