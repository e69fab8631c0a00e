import CValiseSodium
import ValiseFailures
package import ValiseSecrets

/// The first message of a ``SecretStream`` in pieces, with bounded memory, however long it is.
///
/// libsodium opens a message in one call, which needs all of it in memory. The construction is public: HChaCha20 makes the
/// key of the stream; block 0 of ChaCha20 is the key of Poly1305, block 1 hides the tag, the content is encrypted from block
/// 2 on. The authenticator covers the hidden tag in a block of 64 bytes, the encrypted content, as many zeros as the content
/// has bytes behind its last full 16, and both lengths.
///
/// What ``decrypt(_:)`` gives out is not verified before ``finish(authenticator:)`` was true.
package struct SecretStreamMessage: ~Copyable {
    /// The most bytes of content: those that a counter of 32 bits reaches.
    package static let largestContent: Int64 = 64 * ((1 << 32) - 2)
    package static let authenticatorByteCount = 16

    private static let stateSize = MemoryLayout<crypto_onetimeauth_poly1305_state>.size
    private static let blockSize = 64
    private static let keySize = 32
    private static let nonceSize = 12
    /// Poly1305's state, the key, the nonce, and one block of the key stream.
    private static let size = (stateSize + 63) / 64 * 64 + 64 + blockSize
    private static let places = SecretPlaces(byteCount: size, capacity: 16)

    private let place: SecretPlace
    /// How many bytes of content there were.
    private var count: Int64 = 0

    /// - Parameters:
    ///   - key: the secret. With one key, a header must never begin two different streams.
    ///   - header: 24 bytes.
    /// - Throws: ``SodiumError`` with `invalid` for another length; `SecretsError` when no guarded memory is available.
    package init(key: SecretSeed, header: [UInt8]) throws {
        guard header.count == SecretStream.headerByteCount else {
            throw SodiumError(.invalid, "wrong header length: expected 24 bytes, got \(header.count)")
        }
        place = try Self.places.take()
        _ = unsafe key.withBytes { key in
            unsafe crypto_core_hchacha20(
                streamKey, header, key.baseAddress!.assumingMemoryBound(to: UInt8.self), nil)
        }
        // A counter of messages, which begins with 1, and the rest of the header.
        unsafe nonce.update(repeating: 0, count: 4)
        unsafe nonce[0] = 1
        for index in 0..<8 { unsafe nonce[4 + index] = header[16 + index] }
        unsafe block.update(repeating: 0, count: Self.blockSize)
        unsafe exclusiveOr(block, Self.blockSize, from: 0)
        _ = unsafe crypto_onetimeauth_poly1305_init(authenticator, block)
    }

    deinit { Self.places.release(place) }

    private var start: UnsafeMutableRawPointer { unsafe place.bytes.baseAddress! }
    private var authenticator: UnsafeMutablePointer<crypto_onetimeauth_poly1305_state> {
        unsafe start.assumingMemoryBound(to: crypto_onetimeauth_poly1305_state.self)
    }
    private var streamKey: UnsafeMutablePointer<UInt8> {
        unsafe (start + (Self.stateSize + 63) / 64 * 64).assumingMemoryBound(to: UInt8.self)
    }
    private var nonce: UnsafeMutablePointer<UInt8> { unsafe streamKey + Self.keySize }
    private var block: UnsafeMutablePointer<UInt8> { unsafe streamKey + 64 }

    private func exclusiveOr(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, from block: UInt32) {
        _ = unsafe crypto_stream_chacha20_ietf_xor_ic(bytes, bytes, UInt64(count), nonce, block, streamKey)
    }

    // MARK: Tag

    /// The hidden form of a tag, which is the first byte of the message. Call this or ``show(_:)`` first.
    package mutating func hide(_ tag: SecretStream.Tag) -> UInt8 {
        unsafe block.update(repeating: 0, count: Self.blockSize)
        unsafe block[0] = tag.rawValue
        unsafe exclusiveOr(block, Self.blockSize, from: 1)
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, block, UInt64(Self.blockSize))
        return unsafe block[0]
    }

    /// The tag of the first byte of a message; nil where it is none, as the key is another one.
    package mutating func show(_ hidden: UInt8) -> SecretStream.Tag? {
        unsafe block.update(repeating: 0, count: Self.blockSize)
        unsafe block[0] = hidden
        unsafe exclusiveOr(block, Self.blockSize, from: 1)
        let tag = unsafe SecretStream.Tag(rawValue: block[0])
        unsafe block[0] = hidden
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, block, UInt64(Self.blockSize))
        return tag
    }

    // MARK: Content

    /// Encrypts the next piece where it is. All pieces but the last have a multiple of 64 bytes.
    package mutating func encrypt(_ piece: UnsafeMutableRawBufferPointer) {
        unsafe transform(piece)
        unsafe authenticate(UnsafeRawBufferPointer(piece))
    }

    /// Decrypts the next piece where it is. All pieces but the last have a multiple of 64 bytes.
    package mutating func decrypt(_ piece: UnsafeMutableRawBufferPointer) {
        unsafe authenticate(UnsafeRawBufferPointer(piece))
        unsafe transform(piece)
    }

    private mutating func transform(_ piece: UnsafeMutableRawBufferPointer) {
        precondition(count % Int64(Self.blockSize) == 0, "a piece before the last was cut")
        precondition(count + Int64(piece.count) <= Self.largestContent, "message too long")
        if piece.count > 0, let bytes = unsafe piece.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            unsafe exclusiveOr(bytes, piece.count, from: UInt32(2 + count / Int64(Self.blockSize)))
        }
        count += Int64(piece.count)
    }

    private func authenticate(_ encrypted: UnsafeRawBufferPointer) {
        guard let bytes = unsafe encrypted.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, bytes, UInt64(encrypted.count))
    }

    // MARK: Authenticator

    /// The 16 bytes behind the content. Call it once.
    package consuming func finish() -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 16)
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, zeros, UInt64(count & 15))
        // Nothing else is authenticated with it.
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, zeros, 8)
        let length = UInt64(Self.blockSize) + UInt64(count)
        unsafe withUnsafeBytes(of: length.littleEndian) { unsafe authenticate($0) }
        var result = [UInt8](repeating: 0, count: Self.authenticatorByteCount)
        _ = unsafe crypto_onetimeauth_poly1305_final(authenticator, &result)
        return result
    }

    /// Whether the message is authentic, compared in constant time. Call it once.
    package consuming func finish(authenticator claimed: [UInt8]) -> Bool {
        let expected = finish()
        return unsafe claimed.count == expected.count
            && sodium_memcmp(expected, claimed, expected.count) == 0
    }
}
