import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// The key of the database that a backup carries with it: `key.enc`.
///
/// Base64 of `nonce(12) || ciphertext(48) || tag(16)`, encrypted with ChaCha20-Poly1305 under the SHA-256 of the password.
enum IncludedKey {
    /// The text is 104 characters long; some may put a line break behind it.
    private static let longestText: Int64 = 256
    private static let size = 48

    /// - Parameters:
    ///   - content: the file.
    ///   - password: of the backup.
    /// - Throws: as ``open(_:password:name:)``; errors of the source.
    static func read(_ content: any ByteSource, password: borrowing SecretBytes) throws -> SecretBytes {
        guard content.size <= longestText else {
            throw SessionStoreError(
                .damaged, "the encrypted key of the database is malformed", content.path.string)
        }
        let text = try content.bytes(at: 0, upTo: Int(content.size))
        return try open(text, password: password, name: content.path.string)
    }

    /// - Parameters:
    ///   - text: the content of the file.
    ///   - password: of the backup.
    ///   - name: what errors call the file.
    /// - Throws: ``SessionStoreError``: `damaged` for another form, `wrongKey`; `SecretsError`.
    static func open(
        _ text: [UInt8], password: borrowing SecretBytes, name: String
    ) throws -> SecretBytes {
        let sealedSize = ChaCha20Poly1305.nonceByteCount + size + ChaCha20Poly1305.tagByteCount
        guard let bytes = decode(text), bytes.count == sealedSize else {
            throw SessionStoreError(.damaged, "the encrypted key of the database is malformed", name)
        }
        let key = try SecretSeed(sha256Of: password)
        let nonce = Array(bytes.prefix(ChaCha20Poly1305.nonceByteCount))
        let sealed = Array(bytes.dropFirst(ChaCha20Poly1305.nonceByteCount))
        return try unsafe SecretBytes(capacity: size) { memory in
            let isOpen = unsafe sealed.withUnsafeBytes {
                unsafe ChaCha20Poly1305.open($0, into: memory, key: key, nonce: nonce)
            }
            guard isOpen else {
                throw SessionStoreError(
                    .wrongKey, "the password does not open the key of the database, or that is damaged", name)
            }
            return size
        }
    }

    /// The alphabet of Base64 with `+` and `/`, padded.
    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        var digits = text
        while let last = digits.last, [0x0a, 0x0d, 0x20].contains(last) { digits.removeLast() }
        guard digits.count % 4 == 0, !digits.contains(UInt8(ascii: "-")), !digits.contains(UInt8(ascii: "_"))
        else { return nil }
        for place in digits.indices {
            if digits[place] == UInt8(ascii: "+") { digits[place] = UInt8(ascii: "-") }
            if digits[place] == UInt8(ascii: "/") { digits[place] = UInt8(ascii: "_") }
        }
        return Base64URL.decode(String(decoding: digits, as: UTF8.self))
    }
}
