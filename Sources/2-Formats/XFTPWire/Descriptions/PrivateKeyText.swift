import ValiseEncoding
import ValiseFailures
import ValiseSecrets

/// Private keys of Ed25519 as descriptions have them: base64url of a PKCS#8 in DER (fact sheet, §10).
enum PrivateKeyText {
    static let byteCount = 64
    private static let derByteCount = prefix.count + SecretSeed.byteCount
    /// All before the seed.
    private static let prefix: [UInt8] = [
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// - Throws: ``XFTPWireError``: `damaged`, or `unsupported` for a key of another kind.
    static func decode(_ text: UnsafeRawBufferPointer) throws -> SecretSeed {
        try unsafe withDER { der in
            guard let count = unsafe Base64URL.decode(text, into: der), count > 0, unsafe der[0] == prefix[0]
            else {
                throw XFTPWireError.description("a chunk has an invalid private key")
            }
            guard count == derByteCount, unsafe der.starts(with: prefix) else {
                throw XFTPWireError(
                    .unsupported, "a chunk in this description has a key that is not Ed25519")
            }
            return try unsafe SecretSeed(
                copying: UnsafeRawBufferPointer(rebasing: der[prefix.count..<derByteCount]))
        }
    }

    /// - Parameter text: ``byteCount`` bytes.
    static func encode(_ seed: SecretSeed, into text: UnsafeMutableRawBufferPointer) {
        unsafe withDER { der in
            unsafe der.copyBytes(from: prefix)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: der[prefix.count..<derByteCount])
            unsafe seed.withBytes { unsafe rest.copyMemory(from: $0) }
            unsafe Base64URL.encode(UnsafeRawBufferPointer(rebasing: der[..<derByteCount]), into: text)
        }
    }

    /// Memory for a key of any kind, wiped afterwards.
    private static func withDER<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(byteCount: 96, alignment: 1) { memory in
            defer { unsafe SecretMemory.wipe(memory) }
            return try unsafe body(memory)
        }
    }
}
