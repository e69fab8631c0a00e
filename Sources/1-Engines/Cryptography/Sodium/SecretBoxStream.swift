import CValiseSodium
package import ValiseSecrets

/// The cipher of ``SecretBox`` in pieces: files of any size, and any place in them.
///
/// The key stream can be entered anywhere by any thread; the tag is made of all bytes in their order, by one
/// thread at a time. Keys and states lie in guarded memory that many share: a relay has one for each transfer.
package final class SecretBoxStream: Sendable {
    // XSalsa20 of the twice hashed key, the rest of the nonce, Poly1305's state: read by several threads after
    // ``start``, and the state changed by one at a time, which the callers see to.
    private let place: SecretPlace

    private static let blockSize: Int64 = 64
    /// The first half of the first block is the key of the tag; the content begins behind it.
    private static let contentStart: Int64 = 32
    private static let stateSize = MemoryLayout<crypto_onetimeauth_poly1305_state>.size
    private static let nonceRestSize = 8
    /// Poly1305's state has to be aligned to 16 bytes, and threads get cache lines of their own. 64 places fill pages.
    private static let size = (stateSize + SecretBox.keyByteCount + nonceRestSize + 63) / 64 * 64
    private static let places = SecretPlaces(byteCount: size, capacity: 64)

    /// - Throws: `SecretsError` when no guarded memory is available.
    package init() throws {
        place = try Self.places.take()
    }

    private var authenticator: UnsafeMutablePointer<crypto_onetimeauth_poly1305_state> {
        unsafe place.bytes.baseAddress!.assumingMemoryBound(to: crypto_onetimeauth_poly1305_state.self)
    }

    private var streamKey: UnsafeMutablePointer<UInt8> {
        unsafe (place.bytes.baseAddress! + Self.stateSize).assumingMemoryBound(to: UInt8.self)
    }

    private var nonceRest: UnsafeMutablePointer<UInt8> { unsafe streamKey + SecretBox.keyByteCount }

    deinit { Self.places.release(place) }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 24 bytes. With one key, a nonce must never encrypt two different files.
    package func start(key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer) {
        precondition(key.count == SecretBox.keyByteCount && nonce.count == SecretBox.nonceByteCount)
        let key = unsafe key.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let nonce = unsafe nonce.baseAddress!.assumingMemoryBound(to: UInt8.self)
        var zeros: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeBytes(of: &zeros) { zeros in
            let input = unsafe zeros.baseAddress!.assumingMemoryBound(to: UInt8.self)
            _ = unsafe crypto_core_hsalsa20(streamKey, input, key, nil)
        }
        _ = unsafe crypto_core_hsalsa20(streamKey, nonce, streamKey, nil)
        unsafe nonceRest.update(from: nonce + 16, count: Self.nonceRestSize)
        unsafe withBlock(0) { block in
            _ = unsafe crypto_onetimeauth_poly1305_init(authenticator, block)
        }
    }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - key: the secret, 32 bytes.
    ///   - nonce: 24 bytes. With one key, a nonce must never encrypt two different files.
    package func start(key: SecretSeed, nonce: [UInt8]) {
        unsafe key.withBytes { key in unsafe nonce.withUnsafeBytes { unsafe start(key: key, nonce: $0) } }
    }

    // MARK: Content

    /// Encrypts or decrypts bytes where they are.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the content.
    ///   - offset: where it is in the content, in bytes from 0.
    package func exclusiveOr(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) {
        guard var next = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var count = bytes.count
        var position = offset + Self.contentStart
        let inBlock = Int(position % Self.blockSize)
        if inBlock != 0 {
            let head = min(count, Int(Self.blockSize) - inBlock)
            unsafe withBlock(position / Self.blockSize) { block in
                for index in 0..<head { unsafe next[index] ^= block[inBlock + index] }
            }
            unsafe next += head
            count -= head
            position += Int64(head)
        }
        guard count > 0 else { return }
        _ = unsafe crypto_stream_salsa20_xor_ic(
            next, next, UInt64(count), nonceRest, UInt64(position / Self.blockSize), streamKey)
    }

    /// Lends one block of the key stream, and wipes it.
    private func withBlock(_ number: Int64, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(Self.blockSize)) { block in
            let start = block.baseAddress!
            unsafe start.initialize(repeating: 0, count: block.count)
            _ = unsafe crypto_stream_salsa20_xor_ic(
                start, start, UInt64(block.count), nonceRest, UInt64(number), streamKey)
            unsafe body(start)
            unsafe sodium_memzero(start, block.count)
        }
    }

    // MARK: Tag

    /// Adds encrypted bytes to what the tag is made of: all of them, in their order.
    package func authenticate(_ encrypted: UnsafeRawBufferPointer) {
        guard let start = unsafe encrypted.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        _ = unsafe crypto_onetimeauth_poly1305_update(authenticator, start, UInt64(encrypted.count))
    }

    /// The tag of all that was authenticated. Call it once for each `start(key:nonce:)`.
    package func tag() -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: SecretBox.tagByteCount)
        _ = unsafe crypto_onetimeauth_poly1305_final(authenticator, &tag)
        return tag
    }

    /// Whether this is the tag of all that was authenticated, compared in constant time. Call it once for each
    /// `start(key:nonce:)`.
    package func isTag(_ claimed: [UInt8]) -> Bool {
        let tag = tag()
        return unsafe claimed.count == tag.count && sodium_memcmp(tag, claimed, tag.count) == 0
    }
}
