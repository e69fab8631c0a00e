import ValiseCryptography
import ValiseSecrets

/// The encryption of a ``LegacyAttachment``: cipher, code and digest side by side.
struct LegacySealing: ~Copyable {
    private var code: HMACSHA256Stream
    private var cipher: AESCBC
    private let hash: SharedDigest

    /// - Throws: errors of the primitives.
    init(key: SharedSecret, vector: [UInt8]) throws {
        let code = try LegacyAttachment.makeCode(key)
        let cipher = try LegacyAttachment.makeCipher(key, vector, .encrypting)
        self.code = code
        self.cipher = cipher
        hash = SharedDigest()
    }

    /// Writes what is not encrypted, or is already.
    mutating func put(_ bytes: UnsafeRawBufferPointer, _ take: AttachmentReader.Taking) throws {
        unsafe code.update(bytes)
        unsafe hash.add(bytes)
        try unsafe take(bytes)
    }

    /// Encrypts a piece.
    mutating func encrypt(_ piece: UnsafeRawBufferPointer, _ take: AttachmentReader.Taking) throws {
        var output = [UInt8](repeating: 0, count: piece.count + AESCBC.blockByteCount)
        let count = try unsafe output.withUnsafeMutableBytes { try unsafe cipher.update(piece, into: $0) }
        output.removeLast(output.count - count)
        try unsafe output.withUnsafeBytes { try unsafe put($0, take) }
    }

    /// Writes the last block and the code. Call it once.
    /// - Returns: the digest of the whole.
    mutating func finish(_ take: AttachmentReader.Taking) throws -> [UInt8] {
        var last = [UInt8](repeating: 0, count: AESCBC.blockByteCount)
        _ = unsafe last.withUnsafeMutableBytes { unsafe cipher.finalize(into: $0) }
        try unsafe last.withUnsafeBytes { try unsafe put($0, take) }
        let end = code.finalize()
        unsafe end.withUnsafeBytes { unsafe hash.add($0) }
        try unsafe end.withUnsafeBytes { try unsafe take($0) }
        return hash.finish()
    }
}
