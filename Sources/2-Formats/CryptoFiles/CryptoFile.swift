import SystemPackage
import ValiseEncoding
import ValiseFailures
public import ValiseSecrets

/// A file, and the keys under which it is encrypted (SimpleX storage, §5.3).
public struct CryptoFile: Sendable {
    /// Where the encrypted file is.
    public let filePath: String
    /// Nil for a plain file.
    public let cryptoArgs: CryptoFileArgs?

    package init(filePath: String, cryptoArgs: CryptoFileArgs? = nil) {
        self.filePath = filePath
        self.cryptoArgs = cryptoArgs
    }

    /// Reads the JSON of a CryptoFile, or the form that it has in a command (`key=… nonce=… path`).
    /// - Throws: `CryptoFileError` with `invalid`; `SecretsError`.
    public init(text: borrowing SecretBytes) throws {
        let fields = try CryptoFileText.fields(text)
        guard let path = fields.filePath else {
            throw CryptoFileError(.invalid, "the text names no file")
        }
        filePath = path
        cryptoArgs = try CryptoFileArgs(fields)
    }

    /// `{"filePath":"…","cryptoArgs":{"fileKey":"…","fileNonce":"…"}}`, without the keys for a plain file.
    /// - Throws: `SecretsError`.
    public func json() throws -> SecretBytes {
        let path = try JSONText.encode(filePath)
        guard let cryptoArgs else {
            return try SecretBytes(copying: Array("{\"filePath\":\(path)}".utf8))
        }
        return try CryptoFileText.object(
            cryptoArgs, before: "{\"filePath\":\(path),\"cryptoArgs\":", after: "}")
    }

    /// The form that it has in a command: `key=… nonce=… path`.
    /// - Throws: `SecretsError`.
    package func commandText() throws -> SecretBytes {
        guard let cryptoArgs else { return try SecretBytes(copying: Array(filePath.utf8)) }
        return try CryptoFileText.join(cryptoArgs, "key=", " nonce=", " " + filePath)
    }
}

extension CryptoFileArgs {
    /// Reads key and nonce from JSON: alone, in a ``CryptoFile``, or in a `WriteFileResult`; or from the form that
    /// they have in a command.
    /// - Throws: `CryptoFileError` with `invalid`; `SecretsError`.
    public convenience init(text: borrowing SecretBytes) throws {
        guard let copy = try Self.make(CryptoFileText.fields(text)) else {
            throw CryptoFileError(.invalid, "the text holds no key of a file")
        }
        self.init(copy)
    }

    /// - Returns: nil where neither is there.
    convenience init?(_ fields: consuming CryptoFileText.Fields) throws {
        guard let memory = try Self.make(fields) else { return nil }
        self.init(memory)
    }

    private static func make(_ fields: consuming CryptoFileText.Fields) throws -> SecretBytes? {
        guard let key = fields.fileKey.take() else {
            guard fields.fileNonce == nil else { throw incomplete }
            return nil
        }
        guard let nonce = fields.fileNonce.take() else { throw incomplete }
        let bytes = try CryptoFileText.decode(key, "key of the file")
        let rest = try CryptoFileText.decode(nonce, "nonce of the file")
        return try unsafe bytes.withBytes { key in try unsafe rest.withBytes { try unsafe joined(key, $0) } }
    }

    private static let incomplete = CryptoFileError(
        .invalid, "a key needs its nonce, and a nonce its key")

    /// `{"fileKey":"<44 characters>","fileNonce":"<32 characters>"}`: base64url with padding.
    /// - Throws: `SecretsError`.
    public func json() throws -> SecretBytes { try CryptoFileText.object(self) }
}
