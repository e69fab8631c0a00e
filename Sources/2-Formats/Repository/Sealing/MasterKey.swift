import CValiseSodium
package import ValiseSecrets

/// What files and blobs are sealed with: a key of AES-256 and the two parts of a key of Poly1305-AES.
///
/// A repository has one, the master key, which every key file contains. What a password is derived to has the same form, and
/// seals only the master key in its key file.
package struct MasterKey: Sendable {
    /// The encryption key, then k, then r of the authentication.
    private let parts: SharedSecret

    /// All parts, in bytes.
    package static let size = 64
    static let encryption = 0..<32
    static let k = 32..<48
    static let r = 48..<64

    /// - Parameter parts: the encryption key (32 bytes), k (16), r (16).
    /// - Throws: ``RepositoryError``: `damaged` for another length, and where one of them has only zeros, which no program
    ///   writes and which would protect nothing.
    package init(_ parts: consuming SecretBytes) throws(RepositoryError) {
        let isValid = unsafe parts.withBytes { bytes in
            guard bytes.count == Self.size, let start = bytes.baseAddress else { return false }
            return [Self.encryption, Self.k, Self.r].allSatisfy { part in
                unsafe sodium_is_zero(start + part.lowerBound, part.count) == 0
            }
        }
        guard isValid else { throw RepositoryError(.damaged, "the key is empty or has a wrong length") }
        self.parts = SharedSecret(parts)
    }

    /// A new random one.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func random() throws -> MasterKey {
        try MasterKey(
            unsafe SecretBytes(capacity: size) { memory in
                unsafe randombytes_buf(memory.baseAddress!, memory.count)
                return memory.count
            })
    }

    /// Lends the parts, in their order. They must not be kept.
    func withParts<Result: ~Copyable, Failure: Error>(
        _ body: (
            _ encryption: UnsafeRawBufferPointer, _ k: UnsafeRawBufferPointer, _ r: UnsafeRawBufferPointer
        )
            throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe parts.bytes.withBytes { (bytes) throws(Failure) in
            try unsafe body(
                UnsafeRawBufferPointer(rebasing: bytes[Self.encryption]),
                UnsafeRawBufferPointer(rebasing: bytes[Self.k]),
                UnsafeRawBufferPointer(rebasing: bytes[Self.r]))
        }
    }

    /// Compares in constant time.
    package func equals(_ other: MasterKey) -> Bool { parts.bytes.equals(other.parts.bytes) }
}

extension MasterKey {
    /// The sealed form of some bytes. Who seals many makes a ``SealingContext``.
    /// - Throws: ``RepositoryError``: `failed`; `SecretsError`.
    package func seal(_ content: [UInt8]) throws -> [UInt8] {
        var context = try SealingContext(self)
        return try context.seal(content)
    }

    /// The content of what was sealed.
    /// - Throws: ``RepositoryError``: `damaged`; `SecretsError`.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        var context = try SealingContext(self)
        return try context.open(sealed)
    }
}
