import ValiseEncoding
import ValiseSecrets

/// A passphrase that is the key itself: `x'`, 64 or 96 hexadecimal digits, one more byte.
///
/// SQLCipher looks at the length, the first two bytes and the digits; what the last byte is it does not ask.
struct RawKey: ~Copyable {
    /// The salt that follows the key; nil where there is none.
    let salt: [UInt8]?
    let key: SecretBytes

    static func parse(_ passphrase: borrowing SecretBytes) throws -> RawKey? {
        let digits = passphrase.count - 3
        guard digits == 64 || digits == 96 else { return nil }
        let isRaw = unsafe passphrase.withBytes { text in
            unsafe text[0] | 0x20 == UInt8(ascii: "x") && text[1] == UInt8(ascii: "'")
                && text[2..<2 + digits].allSatisfy { Hexadecimal.value($0) != nil }
        }
        guard isRaw else { return nil }
        let salt = try decode(passphrase, CipherSettings.keySize..<digits / 2)
        return unsafe RawKey(
            salt: salt.isEmpty ? nil : salt.withBytes { unsafe Array($0) },
            key: try decode(passphrase, 0..<CipherSettings.keySize))
    }

    private static func decode(
        _ passphrase: borrowing SecretBytes, _ range: Range<Int>
    ) throws -> SecretBytes {
        try unsafe SecretBytes(capacity: range.count) { memory in
            unsafe passphrase.withBytes { text in
                for index in range {
                    let high = unsafe Hexadecimal.value(text[2 + 2 * index]) ?? 0
                    unsafe memory[index - range.lowerBound] =
                        unsafe high << 4 | (Hexadecimal.value(text[3 + 2 * index]) ?? 0)
                }
            }
            return range.count
        }
    }
}
