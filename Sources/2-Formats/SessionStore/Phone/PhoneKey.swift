package import SystemPackage
import ValiseEncoding
package import ValiseFiles
package import ValiseSecrets

/// The key specification of Session iOS' database: a key of 32 bytes, and the salt of 16 that the file does not have, because its
/// header is not encrypted. Without either nothing opens the database.
package struct PhoneKey: Sendable {
    private let bytes: SharedSecret

    /// In bytes.
    package static let byteCount = 48

    /// - Throws: ``SessionStoreError`` with `invalid` for another length. The app itself would replace such a key by a new one.
    package init(_ bytes: consuming SecretBytes) throws {
        guard bytes.count == Self.byteCount else {
            throw SessionStoreError(
                .invalid,
                "the key specification has \(Count.text(bytes.count, "byte")), not \(Self.byteCount)")
        }
        self.bytes = SharedSecret(bytes)
    }

    /// Reads it from a file: as its bytes, or as 96 hexadecimal digits with a line break or none.
    ///
    /// - Throws: ``SessionStoreError`` with `invalid` for anything else; `FileError`; `SecretsError`.
    package init(reading path: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        let source = try FileSource(path, fileSystem: fileSystem)
        guard source.size <= 2 * Int64(Self.byteCount) + 5 else { throw Self.malformed(path.string) }
        let content = try unsafe SecretBytes(capacity: Int(source.size)) { memory in
            try unsafe source.fill(memory, at: 0)
            return memory.count == Self.byteCount
                ? memory.count : unsafe PassphraseLine.withoutBreak(memory, memory.count)
        }
        if content.count == Self.byteCount {
            try self.init(content)
            return
        }
        try self.init(digits: content, of: path.string)
    }

    /// - Parameters:
    ///   - digits: 96 hexadecimal digits, or in SQLCipher's form: between `x'` and `'`.
    ///   - subject: what errors call the text or its file; nil where only the caller knows it.
    /// - Throws: ``SessionStoreError`` with `invalid` for anything else; `SecretsError`.
    package init(digits: borrowing SecretBytes, of subject: String? = nil) throws {
        let isFramed = digits.count == 2 * Self.byteCount + 3
        guard isFramed || digits.count == 2 * Self.byteCount else { throw Self.malformed(subject) }
        let key = try unsafe SecretBytes(capacity: Self.byteCount) { memory in
            try unsafe digits.withBytes { text in
                let quote = UInt8(ascii: "'")
                if isFramed {
                    guard unsafe text[0] == UInt8(ascii: "x"), unsafe text[1] == quote,
                        unsafe text[text.count - 1] == quote
                    else { throw Self.malformed(subject) }
                }
                guard unsafe SecretDigits.decode(text[(isFramed ? 2 : 0)...], into: memory) else {
                    throw Self.malformed(subject)
                }
            }
            return memory.count
        }
        try self.init(key)
    }

    private static func malformed(_ subject: String?) -> SessionStoreError {
        SessionStoreError(
            .invalid, "not a key specification of 48 bytes or 96 hexadecimal digits", subject)
    }

    /// What opens the database.
    func databaseKey() throws -> SessionDatabaseKey {
        let text = try unsafe SecretBytes(capacity: 2 * Self.byteCount + 3) { text in
            unsafe text[0] = UInt8(ascii: "x")
            unsafe text[1] = UInt8(ascii: "'")
            unsafe bytes.bytes.withBytes { unsafe SecretDigits.encode($0, into: text, at: 2) }
            unsafe text[text.count - 1] = UInt8(ascii: "'")
            return text.count
        }
        return SessionDatabaseKey(text, settings: [SessionDatabaseKey.readableHeader])
    }
}
