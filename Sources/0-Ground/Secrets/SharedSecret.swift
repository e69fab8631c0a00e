/// A secret of several owners: of threads that read it, or of a closure that returns it, which it cannot do with what
/// is not copied.
public final class SharedSecret: Sendable {
    /// The secret.
    public let bytes: SecretBytes

    /// Takes the secret over.
    public init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// The same secret, remembering the keys that are derived from it; see ``SecretBytes/rememberingKeys()``.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package func rememberingKeys() throws -> SharedSecret {
        SharedSecret(try bytes.rememberingKeys())
    }
}
