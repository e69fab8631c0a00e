/// A secret of several owners: of threads that read it, or of a closure that returns it, which it cannot do with what
/// is not copied.
public final class SharedSecret: Sendable {
    /// The secret.
    public let bytes: SecretBytes

    public init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}
