import NIOCore
import Synchronization
import ValiseCryptography
import ValiseSecrets
import ValiseXFTPWire

/// A stored chunk, read and encrypted for one recipient piece by piece. Blocks: for threads that may, one at a time.
final class EncryptedChunk: Sendable {
    let response: XFTPResponse
    /// In bytes, without the tag.
    let size: Int64

    private struct State {
        /// Nil when all of it was read: it is closed then.
        var body: (any OpenBody)?
        var offset: Int64 = 0

        mutating func close() {
            body?.close()
            body = nil
        }
    }

    private let state: Mutex<State>
    private let cipher: TransferCipher.Encryptor

    /// - Parameter key: the recipient's ephemeral key.
    init(_ stored: StoredChunk, for key: PublicKey) throws {
        let seed = try SecretSeed()
        let nonce = SecretBox.randomNonce()
        size = Int64(stored.size)
        state = Mutex(State(body: stored.body))
        cipher = try TransferCipher.Encryptor(
            secret: X25519.sharedSecret(seed, with: key.bytes), nonce: nonce, size: size)
        response = .file(PublicKey(.x25519, X25519.publicKey(of: seed)), nonce: nonce)
    }

    /// The next bytes; behind the last comes the tag.
    func next(_ count: Int) throws -> ByteBuffer {
        var piece = ByteBufferAllocator().buffer(capacity: count + TransferCipher.tagByteCount)
        let isLast = try state.withLock { state in
            try unsafe piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                try unsafe state.body?.fill(bytes, at: state.offset)
                try unsafe cipher.encrypt(bytes)
                return count
            }
            state.offset += Int64(count)
            if state.offset == size { state.close() }
            return state.offset == size
        }
        if isLast { piece.writeBytes(try cipher.finish()) }
        return piece
    }

    /// Closes the body. Nothing can be read any more.
    func close() { state.withLock { $0.close() } }
}
