import ValiseCryptography

/// Encrypts a file that comes piece by piece, in pieces of any size.
package struct CryptoFileEncryptor: ~Copyable {
    private let stream: SecretBoxStream
    /// How many bytes there were until now.
    package private(set) var count: Int64 = 0

    /// - Parameter args: fresh ones: with the same, two files would give each other away.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(_ args: CryptoFileArgs) throws {
        stream = try SecretBoxStream()
        stream.start(args)
    }

    /// Encrypts the next piece where it is.
    package mutating func update(_ bytes: UnsafeMutableRawBufferPointer) {
        unsafe stream.exclusiveOr(bytes, at: count)
        unsafe stream.authenticate(UnsafeRawBufferPointer(bytes))
        count += Int64(bytes.count)
    }

    /// The 16 bytes that end the file.
    package consuming func finish() -> [UInt8] { stream.tag() }
}
