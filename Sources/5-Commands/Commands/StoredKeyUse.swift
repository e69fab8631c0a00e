import Synchronization
import Valise
import ValiseTerminal

/// Remembers that a stored passphrase was used: one that does not fit is no typing error then.
enum StoredKeyUse {
    private struct Use {
        let store: String
        let account: AccountLocation
        var option = "--passphrase-file"
    }

    private static let use = Mutex<Use?>(nil)

    static func note(_ name: String, _ account: AccountLocation) {
        use.withLock { $0 = Use(store: name, account: account) }
    }

    /// The store that the passphrase came from; nil where it came from elsewhere.
    static var store: String? { use.withLock { $0?.store } }

    /// The passphrase that turned out to be wrong was another one.
    static func forget() { use.withLock { $0 = nil } }

    /// - Parameter option: what gives another passphrase.
    static func explain(option: String) { use.withLock { $0?.option = option } }

    /// What to say when the passphrase turns out to be wrong; nothing when none was taken from a store.
    static var hints: [String] {
        guard let use = use.withLock({ $0 }) else { return [] }
        return [
            "hint: the passphrase came from the key store '\(use.store)'",
            Hint("use another one", options: use.option, "--no-key-store").note,
            Hint(
                "replace the stored one", command: "key store", use.account.arguments,
                options: [ShellWord.option("--store", use.store)]
            ).note,
        ]
    }
}
