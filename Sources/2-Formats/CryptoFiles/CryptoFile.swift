import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// A file, and the keys under which it is encrypted (SimpleX storage, §5.3).
package struct CryptoFile: Sendable {
    /// Where the encrypted file is.
    package let filePath: String
    /// Nil for an unencrypted file.
    package let cryptoArgs: CryptoFileArgs?

    package init(filePath: String, cryptoArgs: CryptoFileArgs? = nil) {
        self.filePath = filePath
        self.cryptoArgs = cryptoArgs
    }

    /// Reads the JSON of a CryptoFile, or the form that it has in a command (`key=… nonce=… path`).
    /// - Throws: `CryptoFileError` with `invalid`; `SecretsError`.
    package init(text: borrowing SecretBytes) throws {
        let fields = try CryptoFileText.fields(text)
        guard let path = fields.filePath else {
            throw CryptoFileError(.invalid, "no file path in the text")
        }
        filePath = path
        cryptoArgs = try CryptoFileArgs(fields)
    }

    /// `{"filePath":"…","cryptoArgs":{"fileKey":"…","fileNonce":"…"}}`, without the keys for an unencrypted file.
    /// - Throws: `SecretsError`.
    package func json() throws -> SecretBytes {
        let path = try JSONText.encode(filePath)
        guard let cryptoArgs else {
            return try SecretBytes(copying: Array("{\"filePath\":\(path)}".utf8))
        }
        return try CryptoFileText.object(
            cryptoArgs, before: "{\"filePath\":\(path),\"cryptoArgs\":", after: "}")
    }
}

extension CryptoFileArgs {
    /// Reads key and nonce from JSON: alone, in a ``CryptoFile``, or in what the official library returns for a file that it
    /// wrote; or from the form that they have in a command.
    /// - Throws: `CryptoFileError` with `invalid`; `SecretsError`.
    package convenience init(text: borrowing SecretBytes) throws {
        guard let copy = try Self.make(CryptoFileText.fields(text)) else {
            throw CryptoFileError(.invalid, "no file key in the text")
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
        let bytes = try CryptoFileText.decode(key, "file key")
        let rest = try CryptoFileText.decode(nonce, "file nonce")
        return try unsafe bytes.withBytes { key in try unsafe rest.withBytes { try unsafe joined(key, $0) } }
    }

    private static let incomplete = CryptoFileError(
        .invalid, "key and nonce must be given together")

    /// `{"fileKey":"<44 characters>","fileNonce":"<32 characters>"}`: base64url with padding.
    /// - Throws: `SecretsError`.
    package func json() throws -> SecretBytes { try CryptoFileText.object(self) }
}
