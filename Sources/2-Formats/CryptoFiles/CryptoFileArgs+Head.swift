import ValiseCryptography

extension CryptoFileArgs {
    /// Decrypts the beginning of a file's content where it is, to guess what it is. Nothing proves these bytes.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func decryptUnverified(_ head: inout [UInt8]) throws {
        let stream = try SecretBoxStream()
        stream.start(self)
        unsafe head.withUnsafeMutableBytes { unsafe stream.exclusiveOr($0, at: 0) }
    }
}
