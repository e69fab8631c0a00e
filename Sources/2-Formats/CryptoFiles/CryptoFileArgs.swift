import CValiseSodium
package import ValiseCryptography
import ValiseFailures
import ValiseSecrets

/// The key and the nonce of one CryptoFile, in guarded memory (SimpleX storage, §5.3).
package final class CryptoFileArgs: Sendable {
    /// The key, then the nonce, from an offset on: thousands of files share one guarded allocation, because each
    /// takes several pages and mappings, of which the system gives only so many.
    private let memory: SharedSecret
    private let offset: Int

    /// In bytes.
    package static let keySize = SecretBox.keyByteCount
    /// In bytes.
    package static let nonceSize = SecretBox.nonceByteCount

    /// Fresh random ones, as every file needs its own.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package convenience init() throws {
        self.init(try Self.random(1), at: 0)
    }

    /// Fresh random ones for many files.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func make(count: Int) throws -> [CryptoFileArgs] {
        let memory = try random(count)
        return (0..<count).map { CryptoFileArgs(memory, at: $0 * size) }
    }

    /// Those of many rows.
    ///
    /// - Parameters:
    ///   - capacity: the most that there may be.
    ///   - read: hands each pair to its argument, as ``init(fileKey:fileNonce:)`` takes it.
    /// - Throws: ``CryptoFileError`` with `invalid` for a key of another length or too many; `SecretsError`; whatever
    ///   `read` throws.
    package static func read(
        capacity: Int,
        _ read: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws -> [CryptoFileArgs] {
        let memory = try unsafe SecretBytes(capacity: capacity * size) { memory in
            var count = 0
            try unsafe read { key, nonce in
                guard count + size <= memory.count else {
                    throw CryptoFileError(.invalid, "more keys than expected")
                }
                try unsafe join(
                    key, nonce, UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + size]))
                count += size
            }
            return count
        }
        let count = memory.count / size
        let shared = SharedSecret(memory)
        return (0..<count).map { CryptoFileArgs(shared, at: $0 * size) }
    }

    private static func random(_ count: Int) throws -> SharedSecret {
        unsafe SharedSecret(
            try SecretBytes(capacity: count * size) { bytes in
                unsafe randombytes_buf(bytes.baseAddress!, bytes.count)
                return bytes.count
            })
    }

    private static let size = keySize + nonceSize

    /// Those of a row of the database, or of a description.
    ///
    /// - Parameters:
    ///   - fileKey: 32 bytes; wiped by the caller where they lie in usual memory.
    ///   - fileNonce: 24 bytes. Another length is cut or filled up with zeros, as the official programs do.
    /// - Throws: ``CryptoFileError`` with `invalid` for a key of another length; `SecretsError`.
    package convenience init(fileKey: some Collection<UInt8>, fileNonce: some Collection<UInt8>) throws {
        self.init(try Self.joined(fileKey, fileNonce))
    }

    convenience init(_ memory: consuming SecretBytes) {
        self.init(SharedSecret(memory), at: 0)
    }

    private init(_ memory: SharedSecret, at offset: Int) {
        self.memory = memory
        self.offset = offset
    }

    static func joined(
        _ fileKey: some Collection<UInt8>, _ fileNonce: some Collection<UInt8>
    ) throws -> SecretBytes {
        try unsafe SecretBytes(capacity: size) { memory in
            try unsafe join(fileKey, fileNonce, memory)
            return memory.count
        }
    }

    /// - Parameter memory: of zeros.
    private static func join(
        _ fileKey: some Collection<UInt8>, _ fileNonce: some Collection<UInt8>,
        _ memory: UnsafeMutableRawBufferPointer
    ) throws {
        guard fileKey.count == keySize else {
            throw CryptoFileError(
                .invalid, "wrong file key length: expected \(keySize), got \(fileKey.count)")
        }
        unsafe memory.copyBytes(from: fileKey)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[keySize...])
            .copyBytes(from: fileNonce.prefix(nonceSize))
    }

    /// Lends key and nonce. They must not be kept.
    package func withBytes<Result>(
        _ body: (_ fileKey: UnsafeRawBufferPointer, _ fileNonce: UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe memory.bytes.withBytes { bytes in
            let nonce = offset + Self.keySize
            return try unsafe body(
                UnsafeRawBufferPointer(rebasing: bytes[offset..<nonce]),
                UnsafeRawBufferPointer(rebasing: bytes[nonce..<offset + Self.size]))
        }
    }

    /// Compares in constant time.
    package func equals(_ other: CryptoFileArgs) -> Bool {
        unsafe memory.bytes.withBytes { own in
            unsafe other.memory.bytes.withBytes { bytes in
                unsafe sodium_memcmp(own.baseAddress! + offset, bytes.baseAddress! + other.offset, Self.size)
                    == 0
            }
        }
    }
}

extension SecretBoxStream {
    /// Begins a file with these keys.
    package func start(_ args: CryptoFileArgs) {
        unsafe args.withBytes { unsafe start(key: $0, nonce: $1) }
    }
}
