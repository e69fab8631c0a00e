import CValiseSodium

extension SecretBytes {
    /// A new passphrase in the form of the official apps: 32 random bytes as standard base64 with padding,
    /// 44 characters (SimpleX storage, §1.7).
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func generatedPassphrase() throws -> SecretBytes {
        let random = try unsafe SecretBytes(capacity: 32) { memory in
            unsafe randombytes_buf(memory.baseAddress!, memory.count)
            return memory.count
        }
        let length = sodium_base64_encoded_len(32, Int32(sodium_base64_VARIANT_ORIGINAL))
        // The length counts the zero at the end, which the memory needs and the secret has not.
        return try unsafe SecretBytes(capacity: length) { memory in
            unsafe random.withBytes { bytes in
                _ = unsafe sodium_bin2base64(
                    memory.baseAddress!.assumingMemoryBound(to: CChar.self), memory.count,
                    bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count,
                    Int32(sodium_base64_VARIANT_ORIGINAL))
            }
            return length - 1
        }
    }
}
