import ValiseFailures

extension SecretBytes {
    /// Whether SQLCipher takes these bytes for a raw key and derives nothing: `x'` + 64 hexadecimal digits
    /// (or 96, with the salt) + `'`.
    ///
    /// SimpleX passes such a passphrase through unchanged, so its meaning is kept; a user who types one
    /// as a new passphrase should be told.
    package borrowing func looksLikeRawKey() -> Bool {
        unsafe withBytes { bytes in
            guard bytes.count == 67 || bytes.count == 99 else { return false }
            guard unsafe bytes[0] == UInt8(ascii: "x") || bytes[0] == UInt8(ascii: "X") else { return false }
            guard unsafe bytes[1] == UInt8(ascii: "'"),
                unsafe bytes[bytes.count - 1] == UInt8(ascii: "'")
            else { return false }
            return unsafe bytes[2..<bytes.count - 1].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
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
        return try unsafe SecretBytes(capacity: 2 * count + 3) { text in
            unsafe withBytes { bytes in
                for index in 0..<bytes.count {
                    let byte = unsafe bytes[index]
                    unsafe text[2 + 2 * index] = digits.utf8Start[Int(byte >> 4)]
                    unsafe text[3 + 2 * index] = digits.utf8Start[Int(byte & 15)]
                }
            }
            unsafe text[0] = UInt8(ascii: "x")
            unsafe text[1] = UInt8(ascii: "'")
            unsafe text[text.count - 1] = UInt8(ascii: "'")
            return text.count
        }
    }
}
