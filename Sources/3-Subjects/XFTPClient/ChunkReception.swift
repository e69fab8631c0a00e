import NIOCore
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets
import ValiseXFTPWire

/// A chunk on its way from a relay: decrypts what comes, and proves it in the end by its tag and its digest.
struct ChunkReception: ~Copyable {
    /// What is worth waking up for, in bytes.
    private static let pieceSize = 64 * 1024

    private let cipher: TransferCipher.Decryptor
    private var digest = SHA256()
    private let relay: String
    /// Of the chunk and its tag, in bytes.
    private let sizeWithTag: Int
    private var missing: Int
    /// How much of the chunk has come, in bytes.
    private(set) var offset = 0

    /// - Parameters:
    ///   - secret: what both ephemeral keys agree on.
    ///   - nonce: 24 bytes, from the relay.
    ///   - size: of the chunk, in bytes.
    init(secret: SecretSeed, nonce: [UInt8], size: Int, relay: String) throws {
        cipher = try TransferCipher.Decryptor(secret: secret, nonce: nonce, size: Int64(size))
        sizeWithTag = size + TransferCipher.tagByteCount
        missing = sizeWithTag
        self.relay = relay
    }

    /// Chunk and tag have come.
    var isComplete: Bool { missing == 0 }

    /// How many bytes are worth waiting for.
    var wanted: Int { min(missing, Self.pieceSize) }

    /// Takes what belongs to the chunk and its tag, and leaves the rest.
    /// - Returns: the next piece of the chunk, decrypted; it may be empty.
    mutating func take(_ received: inout ByteBuffer) throws -> ByteBuffer {
        var piece = ByteBuffer()
        if received.readableBytes <= missing {
            // So that it has one owner and is decrypted where it is.
            swap(&piece, &received)
        } else {
            piece = received.readSlice(length: missing) ?? ByteBuffer()
        }
        missing -= piece.readableBytes
        let count = try unsafe piece.withUnsafeMutableReadableBytes { bytes in
            let count = try unsafe cipher.decrypt(bytes)
            unsafe digest.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            return count
        }
        piece.moveWriterIndex(to: piece.readerIndex + count)
        offset += count
        return piece
    }

    /// Says whether what came is what the relay sent, and what the description means.
    /// - Throws: ``XFTPClientError``: `damagedChunk`.
    consuming func verify(_ expected: [UInt8]) throws {
        let relay = relay
        do {
            try cipher.finish()
        } catch {
            throw XFTPClientError(
                .damagedChunk,
                "wrong authentication tag: the chunk was changed in transit. Nothing was kept.",
                relay: relay, remedy: .giveCommandAgain)
        }
        guard digest.finalize() == expected else {
            throw XFTPClientError(
                .damagedChunk,
                "the chunk on the relay does not match the file description. Nothing was kept.",
                relay: relay, remedy: .askForNewLink)
        }
    }

    /// The stream ended where something is missing.
    var endedEarly: XFTPClientError {
        XFTPClientError(
            .damagedChunk,
            "the relay sent only \(sizeWithTag - missing) of \(Count.text(sizeWithTag, "byte")). Nothing was kept.",
            relay: relay)
    }
}
