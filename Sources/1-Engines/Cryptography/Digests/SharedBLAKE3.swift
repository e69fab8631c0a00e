import Synchronization

/// A BLAKE3 that several threads continue, one after the other, in an order that they see to.
package final class SharedBLAKE3: Sendable {
    private let hash: Mutex<BLAKE3>

    /// - Throws: ``CryptographyError`` with `failed` where libblake3 cannot be loaded.
    package init() throws(CryptographyError) { hash = Mutex(try BLAKE3()) }

    /// Adds the bytes that follow.
    package func add(_ bytes: UnsafeRawBufferPointer) { hash.withLock { unsafe $0.update(bytes) } }

    /// The digest of all that was added until now.
    package func digest() -> [UInt8] { hash.withLock { $0.digest() } }
}
