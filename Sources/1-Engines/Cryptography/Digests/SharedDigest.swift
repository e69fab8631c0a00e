import Synchronization

/// A SHA-256 that several threads continue, one after the other, in an order that they see to.
package final class SharedDigest: Sendable {
    private let hash = Mutex<SHA256?>(SHA256())

    package init() {}

    /// Adds the bytes that follow.
    package func add(_ bytes: UnsafeRawBufferPointer) { hash.withLock { unsafe $0?.update(bytes) } }

    /// The digest of all that was added. Call it once.
    package func finish() -> [UInt8] { hash.withLock { $0.take() }?.finalize() ?? [] }
}
