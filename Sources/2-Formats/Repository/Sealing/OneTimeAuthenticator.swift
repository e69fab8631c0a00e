import CValiseOpenSSL
import ValiseSecrets

/// Poly1305-AES: a tag under a key of its own for each initialization vector, r and AES-128 of the vector under k.
///
/// By libcrypto, which takes half as long as libsodium for a page of a database.
@safe struct OneTimeAuthenticator: ~Copyable, Sendable {
    /// r, the encrypted vector of the latest tag, and a tag that is compared.
    private static let places = SecretPlaces(byteCount: 64, capacity: 64)
    private static let half = 16
    static let tagSize = 16

    private var cipher: KeyedCipher
    private let poly1305: OwnedContext
    private let key: SecretPlace

    /// - Parameters:
    ///   - k: 16 bytes.
    ///   - r: 16 bytes. Poly1305 itself clears the bits that must not be set.
    /// - Throws: ``RepositoryError``: `failed`; `SecretsError`.
    init(k: UnsafeRawBufferPointer, r: UnsafeRawBufferPointer) throws {
        let cipher = try unsafe KeyedCipher(EVP_aes_128_ecb(), key: k)
        let algorithm = unsafe EVP_MAC_fetch(nil, "POLY1305", nil)
        // A context holds it for as long as it lives.
        defer { unsafe EVP_MAC_free(algorithm) }
        guard
            let poly1305 = unsafe OwnedContext(
                EVP_MAC_CTX_new(algorithm), free: { unsafe EVP_MAC_CTX_free($0) })
        else { throw RepositoryError.library("authenticate") }
        let key = try Self.places.take()
        unsafe UnsafeMutableRawBufferPointer(rebasing: key.bytes[..<Self.half])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: r[..<Self.half]))
        self.cipher = cipher
        self.poly1305 = poly1305
        self.key = key
    }

    deinit { Self.places.release(key) }

    /// Writes the tag of encrypted bytes.
    mutating func authenticate(
        _ encrypted: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        let memory = unsafe key.bytes
        let second = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[Self.half..<2 * Self.half])
        try unsafe cipher.transform(vector, into: second)
        guard tag.count == Self.tagSize,
            unsafe EVP_MAC_init(
                poly1305.pointer, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), 2 * Self.half, nil)
                == 1,
            unsafe EVP_MAC_update(
                poly1305.pointer, encrypted.baseAddress?.assumingMemoryBound(to: UInt8.self), encrypted.count)
                == 1,
            unsafe EVP_MAC_final(
                poly1305.pointer, tag.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, tag.count) == 1
        else { throw .library("authenticate") }
    }

    /// Whether this is the tag of encrypted bytes, compared in constant time.
    mutating func isTag(
        _ tag: UnsafeRawBufferPointer, of encrypted: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer
    ) throws(RepositoryError) -> Bool {
        guard tag.count == Self.tagSize else { return false }
        let expected = unsafe UnsafeMutableRawBufferPointer(
            rebasing: key.bytes[2 * Self.half..<2 * Self.half + Self.tagSize])
        try unsafe authenticate(encrypted, vector, tag: expected)
        return unsafe CRYPTO_memcmp(expected.baseAddress, tag.baseAddress, Self.tagSize) == 0
    }
}
