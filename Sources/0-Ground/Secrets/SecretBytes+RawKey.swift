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
    /// - Parameter salt: of the file, which follows the key; SQLCipher reads it from the file where it is empty.
    /// - Throws: ``SecretsError``: `invalid` for anything but 32 bytes; when no guarded memory is available.
    package borrowing func rawKey(salt: [UInt8] = []) throws -> SecretBytes {
        guard count == 32 else {
            throw SecretsError(.invalid, "wrong key length: expected 32 bytes, got \(count)")
        }
        let digits = StaticString("0123456789abcdef")
        return try unsafe SecretBytes(capacity: 2 * (count + salt.count) + 3) { text in
            var position = 2
            func put(_ byte: UInt8) {
                unsafe text[position] = digits.utf8Start[Int(byte >> 4)]
                unsafe text[position + 1] = digits.utf8Start[Int(byte & 15)]
                position += 2
            }
            unsafe text[0] = UInt8(ascii: "x")
            unsafe text[1] = UInt8(ascii: "'")
            unsafe withBytes { unsafe $0.forEach(put) }
            salt.forEach(put)
            unsafe text[position] = UInt8(ascii: "'")
            return text.count
        }
    }
}
