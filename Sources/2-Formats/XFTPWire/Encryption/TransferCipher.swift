import Synchronization
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// The second encryption of a chunk, on its way from a relay to one recipient (fact sheet, §6.5): what two recipients get
/// of a chunk has no byte in common. The chunk as it was stored, then 16 bytes of tag; nothing before or behind.
///
/// Bytes are worked on in place, in order, in pieces of any size.
package enum TransferCipher {
    /// Behind the chunk.
    package static let tagByteCount = 16

    /// The relay's side.
    package final class Encryptor: Sendable {
        private let stream: SecretBoxStream
        private let size: Int64
        /// Moved by one thread at a time.
        private let position = Atomic<Int64>(0)

        /// - Parameters:
        ///   - secret: what the ephemeral keys of both sides agree on, by `X25519`.
        ///   - nonce: 24 random bytes.
        ///   - size: of the chunk.
        /// - Throws: ``XFTPWireError``: `invalid` for a nonce of another length or a negative size; `SecretsError` when no
        ///   guarded memory is to be had.
        package init(secret: SecretSeed, nonce: [UInt8], size: Int64) throws {
            stream = try TransferCipher.stream(secret, nonce, size)
            self.size = size
        }

        /// Encrypts the next bytes of the chunk.
        /// - Throws: ``XFTPWireError``: `damaged` for more bytes than the chunk has.
        package func encrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(XFTPWireError) {
            let position = position.load(ordering: .acquiring)
            guard Int64(bytes.count) <= size - position else {
                throw .transfer("the chunk has more than \(Count.text(size, "byte"))")
            }
            unsafe stream.exclusiveOr(bytes, at: position)
            unsafe stream.authenticate(UnsafeRawBufferPointer(bytes))
            self.position.store(position + Int64(bytes.count), ordering: .releasing)
        }

        /// The tag, when the whole chunk was encrypted. Call it once.
        /// - Throws: ``XFTPWireError``: `damaged` before that.
        package func finish() throws(XFTPWireError) -> [UInt8] {
            let position = position.load(ordering: .acquiring)
            guard position == size else {
                throw .transfer("the chunk has \(Count.text(position, "byte")) instead of \(size)")
            }
            return stream.tag()
        }
    }

    /// The recipient's side.
    package final class Decryptor {
        private let stream: SecretBoxStream
        private let size: Int64
        private var position: Int64 = 0
        private var tag: [UInt8] = []

        /// - Parameters: as ``Encryptor/init(secret:nonce:size:)``.
        /// - Throws: as ``Encryptor/init(secret:nonce:size:)``.
        package init(secret: SecretSeed, nonce: [UInt8], size: Int64) throws {
            stream = try TransferCipher.stream(secret, nonce, size)
            self.size = size
        }

        /// Decrypts the next bytes of what follows the block: of the chunk, of the tag, or of both.
        ///
        /// - Returns: how many of them, from the first on, are bytes of the chunk, unencrypted now. They are proved by
        ///   ``finish()``.
        /// - Throws: ``XFTPWireError``: `damaged` for more bytes than chunk and tag have.
        package func decrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(XFTPWireError) -> Int {
            let tagLeft = TransferCipher.tagByteCount - tag.count
            guard Int64(bytes.count) <= size - position + Int64(tagLeft) else {
                throw .transfer("received more than the \(Count.text(size, "byte")) of the chunk and its tag")
            }
            let count = Int(min(Int64(bytes.count), size - position))
            let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            unsafe stream.authenticate(UnsafeRawBufferPointer(chunk))
            unsafe stream.exclusiveOr(chunk, at: position)
            position += Int64(count)
            unsafe tag += bytes[count...]
            return count
        }

        /// Proves that all bytes came, and that they are what the relay sent.
        /// - Throws: ``XFTPWireError``: `damaged`. What was decrypted is worth nothing then.
        package func finish() throws(XFTPWireError) {
            guard position == size, tag.count == TransferCipher.tagByteCount else {
                throw .transfer(
                    "received only \(Count.text(position + Int64(tag.count), "byte")) of a "
                        + "\(size)-byte chunk and its tag")
            }
            guard stream.isTag(tag) else { throw .transfer("the chunk's tag does not match") }
        }
    }

    private static func stream(_ secret: SecretSeed, _ nonce: [UInt8], _ size: Int64) throws
        -> SecretBoxStream
    {
        try FileCipher.check(nonce: nonce)
        guard size >= 0 else {
            throw XFTPWireError(.invalid, "invalid chunk size: \(Count.text(size, "byte"))")
        }
        let stream = try SecretBoxStream()
        stream.start(key: secret, nonce: nonce)
        return stream
    }
}

extension XFTPWireError {
    fileprivate static func transfer(_ defect: String) -> XFTPWireError {
        XFTPWireError(
            .damaged,
            "chunk transfer failed: \(defect). The chunk on the relay is unchanged.")
    }
}
