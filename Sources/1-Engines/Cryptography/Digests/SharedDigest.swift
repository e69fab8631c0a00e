import Synchronization

/// A SHA-256 that several threads continue, one after the other, in an order that they see to.
public final class SharedDigest: Sendable {
    private let hash = Mutex<SHA256?>(SHA256())

    public init() {}

    /// Adds the bytes that follow.
    public func add(_ bytes: UnsafeRawBufferPointer) { hash.withLock { $0?.update(bytes) } }

    /// The digest of all that was added. Call it once.
    public func finish() -> [UInt8] { hash.withLock { $0.take() }?.finalize() ?? [] }
}
