package import ValiseSecrets

/// Several stores, asked in turn.
package struct KeySearch: Sendable {
    /// A passphrase and where it was.
    package struct Found: ~Copyable {
        package let passphrase: SecretBytes
        package let store: String

        /// The passphrase alone.
        package consuming func take() -> SecretBytes { passphrase }
    }

    private let stores: [any KeyStore]
    private let toleratesAbsence: Bool

    /// - Parameters:
    ///   - stores: the first that has a passphrase gives it.
    ///   - toleratesAbsence: whether a store that this machine does not have counts as an empty one. Not
    ///     where the user named the store.
    package init(_ stores: [any KeyStore], toleratesAbsence: Bool) {
        self.stores = stores
        self.toleratesAbsence = toleratesAbsence
    }

    /// The first passphrase that is found; nil when no store has one.
    /// - Throws: ``KeyStorageError`` of the first store that failed: behind it nothing is asked, because
    ///   the failed one may have held the right one.
    package func lookup(_ owner: KeyOwner) throws -> Found? {
        for store in stores {
            do {
                if let passphrase = try store.lookup(owner) {
                    return Found(passphrase: passphrase, store: store.name)
                }
            } catch let error as KeyStorageError where error.kind == .unavailable && toleratesAbsence {
                continue
            }
        }
        return nil
    }
}
