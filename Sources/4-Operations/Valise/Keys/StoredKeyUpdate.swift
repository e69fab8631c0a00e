import ValiseAccounts
public import ValiseFailures
import ValiseKeys
import ValiseSecrets

/// The key stores after a passphrase change.
public struct StoredKeyUpdate: Sendable {
    /// The key stores that now have the new passphrase, or none if the account is no longer encrypted.
    public private(set) var updated: [String] = []
    /// Failures: these key stores may still have the previous passphrase.
    public private(set) var failures: [any Failure] = []

    /// Replaces the passphrase in each store that has one for this account; stores in no other.
    ///
    /// The change itself is done by then, so that nothing is thrown.
    init(_ passphrase: borrowing SecretBytes, of location: AccountLocation, in stores: KeyStores) {
        do {
            let owner = try KeyOwner(location)
            for store in try stores.stores(nil) {
                update(store, passphrase, owner)
            }
        } catch {
            note(error)
        }
    }

    private mutating func update(
        _ store: any KeyStore, _ passphrase: borrowing SecretBytes, _ owner: KeyOwner
    ) {
        do {
            guard try store.lookup(owner) != nil else { return }
            if passphrase.isEmpty {
                _ = try store.forget(owner)
            } else {
                try store.store(passphrase, for: owner)
            }
            updated.append(store.name)
        } catch let error as KeyStorageError where error.kind == .unavailable {
            return
        } catch {
            note(error)
        }
    }

    private mutating func note(_ error: any Error) {
        if let failure = error as? any Failure { failures.append(failure) }
    }
}
