import ValiseFailures

extension SecretBytes {
    /// Whether SQLCipher takes these bytes for a raw key and derives nothing: `x'` + 64 hexadecimal digits
    /// (or 96, with the salt) + `'`.
    ///
    /// SimpleX passes such a passphrase through unchanged, so its meaning is kept; a user who types one
    /// as a new passphrase should be told.
    package borrowing func looksLikeRawKey() -> Bool {
        withBytes { bytes in
            guard bytes.count == 67 || bytes.count == 99 else { return false }
            guard bytes[0] == UInt8(ascii: "x") || bytes[0] == UInt8(ascii: "X") else { return false }
            guard bytes[1] == UInt8(ascii: "'"), bytes[bytes.count - 1] == UInt8(ascii: "'") else {
                return false
            }
            return bytes[2..<bytes.count - 1].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }
}

extension SecretBytes {
    /// The form in which SQLCipher takes these bytes for the key itself and derives nothing: `x'` + hexadecimal digits + `'`.
    ///
    /// - Throws: ``SecretsError``: `invalid` for anything but 32 bytes; when no guarded memory is available.
    package borrowing func rawKey() throws -> SecretBytes {
        guard count == 32 else {
            throw SecretsError(.invalid, "wrong key length: expected 32 bytes, got \(count)")
        }
        let digits = StaticString("0123456789abcdef")
        return try SecretBytes(capacity: 2 * count + 3) { text in
            withBytes { bytes in
                for (index, byte) in bytes.enumerated() {
                    text[2 + 2 * index] = digits.utf8Start[Int(byte >> 4)]
                    text[3 + 2 * index] = digits.utf8Start[Int(byte & 15)]
                }
            }
            text[0] = UInt8(ascii: "x")
            text[1] = UInt8(ascii: "'")
            text[text.count - 1] = UInt8(ascii: "'")
            return text.count
        }
    }
}
