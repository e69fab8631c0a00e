import ValiseFailures
package import ValiseSecrets

/// Keeps passphrases, each for one account.
///
/// "Not stored" is an answer; everything else that prevents an answer is thrown, so that nobody takes a
/// store that failed for an empty one.
package protocol KeyStore: Sendable {
    /// What the user calls it: `secret-service`, `kernel`, `file`.
    var name: String { get }

    /// Whether it can be used here and now, without asking anybody.
    /// - Throws: ``KeyStorageError`` that says why not.
    func check() throws

    /// Keeps the passphrase in place of one that may be there.
    /// - Throws: ``KeyStorageError``; the previous passphrase is still there.
    func store(_ passphrase: borrowing SecretBytes, for owner: KeyOwner) throws

    /// The passphrase; nil when none is stored.
    /// - Throws: ``KeyStorageError``.
    func lookup(_ owner: KeyOwner) throws -> SecretBytes?

    /// Removes the passphrase. Returns whether there was one.
    /// - Throws: ``KeyStorageError``.
    func forget(_ owner: KeyOwner) throws -> Bool

    /// Whose passphrases are stored, sorted by name.
    /// - Throws: ``KeyStorageError``.
    func list() throws -> [KeyOwner]
}

extension KeyStore {
    func failure(
        _ kind: KeyStorageError.Kind, _ message: String, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) -> KeyStorageError {
        KeyStorageError(
            kind, kind == .unavailable ? .unsupported : .failed, message, name, cause: cause,
            remedy: remedy)
    }
}

/// The most bytes that a passphrase may have.
package enum KeyLimits {
    package static let longest = 64 << 10
}
