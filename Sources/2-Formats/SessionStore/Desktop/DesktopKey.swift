import ValiseEncoding
package import ValiseSecrets

/// How Session Desktop makes SQLCipher's key of what it has (the sheet on Session's formats, section 4).
package enum DesktopKey {
    /// What a password becomes. One of hexadecimal digits alone is wrapped as a raw key is: with 64 or 96 digits it is one, and
    /// else the text with the wrapping is the passphrase.
    ///
    /// - Parameter password: as the user types it.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func passphrase(of password: borrowing SecretBytes) throws -> SecretBytes {
        let isHexadecimal = unsafe password.withBytes { bytes in
            unsafe !bytes.isEmpty && bytes.allSatisfy { Hexadecimal.value($0) != nil }
        }
        guard isHexadecimal else { return try password.duplicate() }
        return try unsafe SecretBytes(capacity: password.count + 3) { memory in
            unsafe memory[0] = UInt8(ascii: "x")
            unsafe memory[1] = UInt8(ascii: "'")
            unsafe password.withBytes { bytes in
                for index in bytes.indices { unsafe memory[index + 2] = bytes[index] }
            }
            unsafe memory[memory.count - 1] = UInt8(ascii: "'")
            return memory.count
        }
    }
}
