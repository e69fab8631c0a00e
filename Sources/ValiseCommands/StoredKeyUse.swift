import Synchronization

/// Remembers that a stored passphrase was used, so that one that does not fit can be told from a typing
/// error.
enum StoredKeyUse {
    private static let store = Mutex<String?>(nil)

    static func note(_ name: String) { store.withLock { $0 = name } }

    /// What to say when the passphrase turns out to be wrong; nil when none was taken from a store.
    static var hint: String? {
        store.withLock { $0 }.map {
            "this passphrase was taken from the key store '\($0)'; give another with --passphrase-file or "
                + "--no-key-store, and replace it with 'valise key store'"
        }
    }
}
