import CValiseOpenSSL
import CValiseSodium
import ValiseSecrets

/// Poly1305-AES: a tag under a key of its own for each initialization vector, r and AES-128 of the vector under k.
@safe struct OneTimeAuthenticator: ~Copyable, Sendable {
    /// r, then the encrypted vector of the latest tag.
    private static let places = SecretPlaces(byteCount: 64, capacity: 64)
    private static let half = 16
    static let tagSize = 16

    private var cipher: KeyedCipher
    private let key: SecretPlace

    /// - Parameters:
    ///   - k: 16 bytes.
    ///   - r: 16 bytes. Poly1305 itself clears the bits that must not be set.
    /// - Throws: ``RepositoryError``: `failed`; `SecretsError`.
    init(k: UnsafeRawBufferPointer, r: UnsafeRawBufferPointer) throws {
        let cipher = try unsafe KeyedCipher(EVP_aes_128_ecb(), key: k)
        let key = try Self.places.take()
        unsafe UnsafeMutableRawBufferPointer(rebasing: key.bytes[..<Self.half])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: r[..<Self.half]))
        self.cipher = cipher
        self.key = key
    }

    deinit { Self.places.release(key) }

    /// The key of this vector: the 32 bytes that libsodium reads.
    private mutating func oneTimeKey(
        _ vector: UnsafeRawBufferPointer
    ) throws(RepositoryError) -> UnsafePointer<UInt8> {
        let memory = unsafe key.bytes
        let second = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[Self.half..<2 * Self.half])
        try unsafe cipher.transform(vector, into: second)
        return unsafe UnsafePointer(memory.baseAddress!.assumingMemoryBound(to: UInt8.self))
    }

    /// Writes the tag of encrypted bytes.
    mutating func authenticate(
        _ encrypted: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        let key = try unsafe oneTimeKey(vector)
        let start = unsafe encrypted.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard tag.count == Self.tagSize,
            unsafe crypto_onetimeauth(
                tag.baseAddress!.assumingMemoryBound(to: UInt8.self), start, UInt64(encrypted.count), key)
                == 0
        else { throw .library("authenticate") }
    }

    /// Whether this is the tag of encrypted bytes, compared in constant time.
    mutating func isTag(
        _ tag: UnsafeRawBufferPointer, of encrypted: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer
    ) throws(RepositoryError) -> Bool {
        let key = try unsafe oneTimeKey(vector)
        let start = unsafe encrypted.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe tag.count == Self.tagSize
            && crypto_onetimeauth_verify(
                tag.baseAddress!.assumingMemoryBound(to: UInt8.self), start, UInt64(encrypted.count), key)
                == 0
    }
}
