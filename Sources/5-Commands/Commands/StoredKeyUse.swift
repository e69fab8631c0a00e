import Synchronization

/// Remembers that a stored passphrase was used, so that one that does not fit can be told from a typing
/// error.
enum StoredKeyUse {
    private struct Use {
        let store: String
        var option = "--passphrase-file"
    }

    private static let use = Mutex<Use?>(nil)

    static func note(_ name: String) { use.withLock { $0 = Use(store: name) } }

    /// The store that the passphrase came from; nil where it came from elsewhere.
    static var store: String? { use.withLock { $0?.store } }

    /// The passphrase that turned out to be wrong was another one.
    static func forget() { use.withLock { $0 = nil } }

    /// - Parameter option: what gives another passphrase.
    static func explain(option: String) { use.withLock { $0?.option = option } }

    /// What to say when the passphrase turns out to be wrong; nil when none was taken from a store.
    static var hint: String? {
        use.withLock { $0 }.map {
            "this passphrase was taken from the key store '\($0.store)'; give another with \($0.option) or "
                + "--no-key-store, and replace it with 'valise key store'"
        }
    }
}
