public import ValiseAccounts
import ValiseConcurrency
import ValiseKeys
import ValiseMaintenance
import ValiseSecrets

/// Stores the passphrase of an account in a key store.
public struct StorePassphrase: Operation {
    package var account: AccountLocation
    /// The key store.
    public var keyStore = KeyStoreChoice.usual
    /// Whether it must open both databases before it is stored.
    public var isChecked = true
    /// Its key stores are not asked.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account.
    ///   - passphrase: the passphrase to store.
    public init(of account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    /// Checks the passphrase and the store.
    public func plan(in context: OperationContext) async throws -> StoredPassphrase {
        let (store, _) = try await checked(context)
        return report(try KeyOwner(account), store, isPlan: true)
    }

    public func run(in context: OperationContext) async throws -> StoredPassphrase {
        let (store, key) = try await checked(context)
        return try await context.blocking { _ in
            let owner = try KeyOwner(account)
            try store.store(key.bytes, for: owner)
            noteOthers(key, owner, context)
            return report(owner, store, isPlan: false)
        }
    }

    private func checked(_ context: OperationContext) async throws -> (any KeyStore, SharedSecret) {
        let store = try await context.blocking { _ in
            let store = try KeyStores(context.folders, mayPrompt: passphrase.mayPrompt).store(keyStore)
            try store.check()
            if isChecked { try PassphraseCheck.refuseUnencrypted(account) }
            return store
        }
        let key = try await passphrase.typed(
            of: account, in: context.asking(to: "store it in the key store '\(store.name)'"))
        guard !key.bytes.isEmpty else {
            throw OperationError(.invalid, "empty passphrase: nothing to store")
        }
        if isChecked { try await context.blocking { _ in try PassphraseCheck.require(key.bytes, account) } }
        return (store, key)
    }

    /// Another store that is asked earlier may have another passphrase.
    private func noteOthers(_ key: SharedSecret, _ owner: KeyOwner, _ context: OperationContext) {
        // What another store has to say of itself is no failure of this one.
        guard let found = try? KeyStores(context.folders, mayPrompt: false).search(nil).lookup(owner),
            !found.passphrase.equals(key.bytes)
        else { return }
        context.note(OtherKeyStoreNote(account: account, store: found.store))
    }

    private func report(_ owner: KeyOwner, _ store: any KeyStore, isPlan: Bool) -> StoredPassphrase {
        StoredPassphrase(account: owner.name, store: store.name, checked: isChecked, dryRun: isPlan)
    }
}

/// A passphrase that was stored, or would be.
public struct StoredPassphrase: OperationReport {
    package let type = "keyStored"
    /// Folder and prefix in one, as the store keeps it.
    package let account: String
    /// The name of the key store.
    public let store: String
    /// Whether the passphrase opened both databases.
    package let checked: Bool
    package let dryRun: Bool
}

/// A key store that is asked earlier has another passphrase for the account.
package struct OtherKeyStoreNote: OperationNote {
    package let account: AccountLocation
    package let store: String

    package var text: String {
        "warning: key store '\(store)' has a different passphrase for this account and takes precedence"
    }
}
