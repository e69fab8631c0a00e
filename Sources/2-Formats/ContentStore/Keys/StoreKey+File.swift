package import SystemPackage
import ValiseEncoding
package import ValiseFiles
package import ValiseSecrets

extension StoreKey {
    private static let textSize = 2 * SecretSeed.byteCount

    /// The key that a file holds: 32 bytes, or 64 hexadecimal digits and perhaps a line break. No file is both.
    ///
    /// - Parameters:
    ///   - path: a regular file that belongs to the user, and that nobody else can read.
    ///   - fileSystem: what it is read by.
    /// - Throws: ``ContentStoreError``: `invalid` for another content; `FileError`; `SecretsError`.
    package static func read(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws -> StoreKey {
        let content = try StoreSecretFile.read(
            path, what: "key", mostBytes: textSize + 2, fileSystem: fileSystem)
        guard let key = try StoreKey(decoding: content) else {
            throw ContentStoreError(
                .invalid, "the key file has neither 32 bytes nor 64 hexadecimal digits", path.string)
        }
        return key
    }

    /// - Parameter content: 32 bytes, or 64 hexadecimal digits and perhaps a line break.
    /// - Returns: nil for anything else.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init?(decoding content: borrowing SecretBytes) throws {
        let secret = try unsafe content.withBytes { (bytes) throws -> SecretSeed? in
            if bytes.count == SecretSeed.byteCount { return try unsafe SecretSeed(copying: bytes) }
            return try unsafe Self.decode(bytes)
        }
        guard let secret else { return nil }
        self.init(secret)
    }

    private static func decode(_ text: UnsafeRawBufferPointer) throws -> SecretSeed? {
        var count = text.count
        if count > textSize, unsafe text[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        if count == textSize + 1, unsafe text[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        guard count == textSize else { return nil }
        var isValid = true
        let secret = try unsafe SecretSeed { memory in
            for place in 0..<memory.count {
                let high = unsafe Hexadecimal.value(text[2 * place])
                let low = unsafe Hexadecimal.value(text[2 * place + 1])
                isValid = isValid && high != nil && low != nil
                unsafe memory[place] = (high ?? 0) << 4 | (low ?? 0)
            }
        }
        return isValid ? secret : nil
    }
}
