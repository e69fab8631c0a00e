import NIOCore
import ValiseCryptography
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

/// A stored chunk, read and encrypted for one recipient piece by piece. Blocks: for threads that may, one at a time.
final class EncryptedChunk: @unchecked Sendable {
    let response: XFTPResponse
    /// In bytes, without the tag.
    let size: Int64

    /// Nil when all of it was read: the file is closed then.
    private var source: FileSource?
    private let cipher: TransferCipher.Encryptor
    private var offset: Int64 = 0

    /// - Parameter key: the recipient's ephemeral key.
    init(_ stored: StoredChunk, for key: PublicKey) throws {
        let seed = try SecretSeed()
        let nonce = SecretBox.randomNonce()
        size = Int64(stored.size)
        source = stored.source
        cipher = try TransferCipher.Encryptor(
            secret: X25519.sharedSecret(seed, with: key.bytes), nonce: nonce, size: size)
        response = .file(PublicKey(.x25519, X25519.publicKey(of: seed)), nonce: nonce)
    }

    /// The next bytes; behind the last comes the tag.
    func next(_ count: Int) throws -> ByteBuffer {
        var piece = ByteBufferAllocator().buffer(capacity: count + TransferCipher.tagByteCount)
        try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            try source?.fill(bytes, at: offset)
            try cipher.encrypt(bytes)
            return count
        }
        offset += Int64(count)
        if offset == size {
            piece.writeBytes(try cipher.finish())
            close()
        }
        return piece
    }

    /// Closes the file. Nothing can be read any more.
    func close() { source = nil }
}
