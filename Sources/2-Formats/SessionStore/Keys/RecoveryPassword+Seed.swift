package import ValiseSecrets

extension RecoveryPassword {
    /// Of the 16 bytes as 32 hexadecimal digits, or of the 32 that Session makes of them, the second half of which is zeros.
    ///
    /// - Throws: ``SessionStoreError`` with `invalid` for anything else; `SecretsError` when no guarded memory is available.
    package init(digits: borrowing SecretBytes) throws {
        let size = Self.byteCount
        guard digits.count == 2 * size || digits.count == 4 * size else { throw Self.malformed }
        let bytes = try unsafe SecretBytes(capacity: digits.count / 2) { memory in
            try unsafe digits.withBytes { text in
                guard unsafe SecretDigits.decode(text[...], into: memory) else { throw Self.malformed }
            }
            return memory.count
        }
        guard bytes.count == size else {
            try self.init(accountSeed: try unsafe bytes.withBytes { try unsafe SecretSeed(copying: $0) })
            return
        }
        try self.init(entropy: SharedSecret(bytes))
    }

    /// The 16 bytes as 32 hexadecimal digits.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func digits() throws -> SharedSecret {
        SharedSecret(
            try unsafe SecretBytes(capacity: 2 * Self.byteCount) { text in
                unsafe entropy.bytes.withBytes { unsafe SecretDigits.encode($0, into: text) }
                return text.count
            })
    }

    private static var malformed: SessionStoreError {
        SessionStoreError(.invalid, "not a seed of 16 bytes, which are 32 hexadecimal digits")
    }
}
