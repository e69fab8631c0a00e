import ValiseSecrets

/// The JSON of a master key, `{"mac":{"k":"…","r":"…"},"encrypt":"…"}`, written and read in guarded memory: a general writer or
/// reader of JSON would leave copies of the key in memory that nobody wipes.
enum MasterKeyText {
    private static let before = #"{"mac":{"k":""#
    private static let betweenParts = #"","r":""#
    private static let betweenKeys = #""},"encrypt":""#
    private static let after = #""}"#

    /// The text of a key.
    /// - Throws: `SecretsError` when no guarded memory is available.
    static func encode(_ key: MasterKey) throws -> SecretBytes {
        let words = [before, betweenParts, betweenKeys, after]
        let digits = [MasterKey.k, MasterKey.r, MasterKey.encryption].map {
            StandardBase64.encodedCount($0.count)
        }
        let size = words.reduce(digits.reduce(0, +)) { $0 + $1.utf8.count }
        return try unsafe SecretBytes(capacity: size) { memory in
            var end = 0
            func append(_ text: String) {
                for byte in text.utf8 {
                    unsafe memory[end] = byte
                    end += 1
                }
            }
            func append(_ part: UnsafeRawBufferPointer) {
                // The zero behind it is where the next word begins.
                unsafe StandardBase64.encode(
                    part, into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
                end += StandardBase64.encodedCount(part.count)
            }
            unsafe key.withParts { encryption, k, r in
                append(before)
                unsafe append(k)
                append(betweenParts)
                unsafe append(r)
                append(betweenKeys)
                unsafe append(encryption)
                append(after)
            }
            return end
        }
    }

    /// The key of a text.
    /// - Throws: ``RepositoryError``: `damaged`; `SecretsError`.
    static func decode(_ text: borrowing SecretBytes) throws -> MasterKey {
        try unsafe text.withBytes { text in
            var scanner = unsafe MasterKeyScanner(text)
            try scanner.scan()
            let parts = [
                (scanner.encrypt, MasterKey.encryption), (scanner.k, MasterKey.k), (scanner.r, MasterKey.r),
            ]
            return try unsafe MasterKey(
                SecretBytes(capacity: MasterKey.size) { memory in
                    for (place, part) in parts {
                        guard let place else { throw MasterKeyScanner.damaged }
                        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[part])
                        let digits = unsafe UnsafeRawBufferPointer(rebasing: text[place])
                        guard unsafe StandardBase64.decode(digits, into: target) == part.count else {
                            throw MasterKeyScanner.damaged
                        }
                    }
                    return memory.count
                })
        }
    }
}
