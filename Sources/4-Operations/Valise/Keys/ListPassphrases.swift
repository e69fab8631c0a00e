import SystemPackage
import ValiseAccounts
package import ValiseKeys

/// Lists the accounts whose passphrases are stored, never the passphrases.
public struct ListPassphrases: Operation {
    /// The only store; nil for all of this session.
    package var keyStore: KeyStoreChoice?
    /// Whether a keyring may show a dialog.
    package var mayPrompt = true

    /// - Parameter keyStore: nil for all of them.
    public init(in keyStore: KeyStoreChoice? = nil) { self.keyStore = keyStore }

    public func run(in context: OperationContext) async throws -> PassphraseList {
        try await context.blocking { _ in
            var list = PassphraseList()
            for store in try KeyStores(context.folders, mayPrompt: mayPrompt).stores(keyStore) {
                do {
                    list.keys += try store.list().map { PassphraseList.Entry($0, store.name) }
                } catch let error as KeyStorageError where keyStore == nil {
                    guard error.kind != .unavailable else { continue }
                    context.tell(error, of: store.name)
                    list.failures.append(error)
                }
            }
            return list
        }
    }
}

/// The stored passphrases.
public struct PassphraseList: Sendable {
    /// A passphrase in one store.
    public struct Entry: Encodable, Sendable {
        /// Folder and prefix in one, as the store keeps it.
        public let account: String
        package let directory: String
        package let prefix: String
        /// The name of the key store.
        public let store: String
        /// Whether the account exists.
        public let isThere: Bool

        init(_ owner: KeyOwner, _ store: String) {
            account = owner.name
            directory = owner.directory.string
            prefix = owner.prefix
            self.store = store
            isThere = (try? AccountLocation.find(owner.directory, prefix: owner.prefix)) != nil
        }
    }

    /// The passphrases in the key stores.
    public internal(set) var keys: [Entry] = []
    /// Of stores that could not be listed.
    package internal(set) var failures: [KeyStorageError] = []
}
