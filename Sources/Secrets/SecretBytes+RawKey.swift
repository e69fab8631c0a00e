extension SecretBytes {
    /// Whether SQLCipher takes these bytes for a raw key and derives nothing: `x'` + 64 hexadecimal digits
    /// (or 96, with the salt) + `'`.
    ///
    /// SimpleX passes such a passphrase through unchanged, so its meaning is kept; a person who types one
    /// as a new passphrase should be told.
    public borrowing func looksLikeRawKey() -> Bool {
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
