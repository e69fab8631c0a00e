import CSodium
import Failures
import Secrets
public import Sodium

/// The key and the nonce of one CryptoFile, in guarded memory (SimpleX storage, §5.3).
public final class CryptoFileArgs: Sendable {
    /// The key, then the nonce.
    private let memory: SecretBytes

    /// In bytes.
    public static let keySize = SecretBox.keyByteCount
    /// In bytes.
    public static let nonceSize = SecretBox.nonceByteCount

    /// Fresh random ones, as every file needs its own.
    /// - Throws: `SecretsError` when no guarded memory is to be had.
    public init() throws {
        memory = try SecretBytes(capacity: Self.keySize + Self.nonceSize) { bytes in
            randombytes_buf(bytes.baseAddress!, bytes.count)
            return bytes.count
        }
    }

    /// Those of a row of the database, or of a description.
    ///
    /// - Parameters:
    ///   - fileKey: 32 bytes; wiped by the caller where they lie in usual memory.
    ///   - fileNonce: 24 bytes. Another length is cut or filled up with zeros, as the official programs do.
    /// - Throws: ``CryptoFileError`` with `invalid` for a key of another length; `SecretsError`.
    public convenience init(fileKey: some Collection<UInt8>, fileNonce: some Collection<UInt8>) throws {
        self.init(try Self.joined(fileKey, fileNonce))
    }

    init(_ memory: consuming SecretBytes) {
        self.memory = memory
    }

    static func joined(
        _ fileKey: some Collection<UInt8>, _ fileNonce: some Collection<UInt8>
    ) throws -> SecretBytes {
        guard fileKey.count == keySize else {
            throw CryptoFileError(
                .invalid, "the key of a file has \(fileKey.count) bytes instead of \(keySize)")
        }
        return try SecretBytes(capacity: keySize + nonceSize) { bytes in
            bytes.copyBytes(from: fileKey)
            UnsafeMutableRawBufferPointer(rebasing: bytes[keySize...])
                .copyBytes(from: fileNonce.prefix(nonceSize))
            return bytes.count
        }
    }

    /// Lends key and nonce. They must not be kept.
    public func withBytes<Result>(
        _ body: (_ fileKey: UnsafeRawBufferPointer, _ fileNonce: UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try memory.withBytes { bytes in
            try body(
                UnsafeRawBufferPointer(rebasing: bytes[..<Self.keySize]),
                UnsafeRawBufferPointer(rebasing: bytes[Self.keySize...]))
        }
    }

    /// Compares in constant time.
    public func equals(_ other: CryptoFileArgs) -> Bool { memory.equals(other.memory) }
}

extension SecretBoxStream {
    /// Begins a file with these keys.
    public func start(_ args: CryptoFileArgs) {
        args.withBytes { start(key: $0, nonce: $1) }
    }
}
