import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// `vector(16) || AES-256-CBC || HMAC-SHA256(32)`, the code over all before it; the key is that of the cipher, then that of
/// the code (fact sheet of Session, §3).
struct LegacyAttachment: AttachmentDecryption {
    /// Vector and code, in bytes.
    static let overhead: Int64 = 48
    private static let cipherKeySize = 32

    let key: SharedSecret
    let digest: [UInt8]?
    /// Of the content; 0 where it is unknown.
    let size: Int64

    func pass(
        _ source: any ByteSource, _ progress: AttachmentReader.Progress, _ take: AttachmentReader.Taking
    ) throws -> Int64 {
        let (start, end) = (Int64(AESCBC.blockByteCount), source.size - Int64(HMACSHA256Stream.byteCount))
        guard (end - start) % Int64(AESCBC.blockByteCount) == 0 else {
            throw AttachmentError.damaged(source, "its length is wrong")
        }
        let vector = try SourcePieces.bytes(source, at: 0, AESCBC.blockByteCount)
        let claimed = try SourcePieces.bytes(source, at: end, HMACSHA256Stream.byteCount)
        var code = try Self.makeCode(key)
        var cipher = try Self.makeCipher(key, vector, .decrypting)
        var hash = SHA256()
        unsafe vector.withUnsafeBytes {
            unsafe code.update($0)
            unsafe hash.update($0)
        }
        var content = CutContent(size: size)
        var output = [UInt8](repeating: 0, count: SourcePieces.size + AESCBC.blockByteCount)
        var position = start
        try unsafe SourcePieces.read(source, start..<end) { piece in
            unsafe code.update(UnsafeRawBufferPointer(piece))
            unsafe hash.update(UnsafeRawBufferPointer(piece))
            try unsafe output.withUnsafeMutableBytes { output in
                let count = try unsafe cipher.update(UnsafeRawBufferPointer(piece), into: output)
                try unsafe content.take(UnsafeRawBufferPointer(rebasing: output[..<count]), take)
            }
            position += Int64(piece.count)
            try progress(position)
        }
        unsafe claimed.withUnsafeBytes { unsafe hash.update($0) }
        try check(source, isAuthentic: code.finalize(equals: claimed), hash.finalize())
        let last = unsafe output.withUnsafeMutableBytes { unsafe cipher.finalize(into: $0) }
        guard let last else { throw AttachmentError.damaged(source, "it ends without padding") }
        try unsafe output.withUnsafeBytes {
            try unsafe content.take(UnsafeRawBufferPointer(rebasing: $0[..<last]), take)
        }
        try progress(source.size)
        guard let length = content.length else {
            throw AttachmentError.damaged(
                source, "it has \(Count.text(content.total, "byte")), expected \(size)")
        }
        return length
    }

    /// The digest tells a wrong key from damage.
    private func check(_ source: any ByteSource, isAuthentic: Bool, _ found: [UInt8]) throws {
        let isIntact = digest.map { $0 == found }
        guard isIntact != false else { throw AttachmentError.damaged(source, "its digest is another one") }
        guard isAuthentic else {
            throw isIntact == true
                ? AttachmentError.certainlyWrongKey(source) : AttachmentError.wrongKey(source)
        }
    }

    static func makeCode(_ key: SharedSecret) throws -> HMACSHA256Stream {
        try unsafe key.bytes.withBytes {
            try unsafe HMACSHA256Stream(key: UnsafeRawBufferPointer(rebasing: $0[cipherKeySize...]))
        }
    }

    static func makeCipher(
        _ key: SharedSecret, _ vector: [UInt8], _ direction: AESCBC.Direction
    ) throws -> AESCBC {
        try unsafe key.bytes.withBytes {
            try unsafe AESCBC(
                key: UnsafeRawBufferPointer(rebasing: $0[..<cipherKeySize]), vector: vector, direction)
        }
    }
}
