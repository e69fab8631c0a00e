import CValiseSodium
import ValiseFailures
package import ValiseSecrets

/// libsodium's `secretstream` of XChaCha20-Poly1305: messages in an order that cannot be changed, each with a tag that says
/// what follows it.
///
/// One object reads or writes one stream, on one thread at a time. Its state lies in guarded memory.
package struct SecretStream: ~Copyable {
    /// What a message says of itself.
    package enum Tag: UInt8, Sendable {
        case message = 0
        case push = 1
        case rekey = 2
        /// Nothing follows.
        case final = 3
    }

    package static let headerByteCount = 24
    /// How many bytes each message adds.
    package static let overhead = 17

    private static let places = SecretPlaces(byteCount: 64, capacity: 16)
    private let place: SecretPlace

    /// Begins a stream, to read one or to write one whose header was chosen.
    ///
    /// - Parameters:
    ///   - key: the secret. With one key, a header must never begin two different streams.
    ///   - header: 24 bytes.
    /// - Throws: ``SodiumError`` with `invalid` for another length; `SecretsError` when no guarded memory is available.
    package init(key: SecretSeed, header: [UInt8]) throws {
        guard header.count == Self.headerByteCount else {
            throw SodiumError(.invalid, "wrong header length: expected 24 bytes, got \(header.count)")
        }
        place = try Self.places.take()
        // Both directions begin with the same state; the function that writes would choose the header.
        _ = unsafe key.withBytes { key in
            unsafe crypto_secretstream_xchacha20poly1305_init_pull(
                state, header, key.baseAddress!.assumingMemoryBound(to: UInt8.self))
        }
    }

    deinit { Self.places.release(place) }

    private var state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state> {
        unsafe place.bytes.baseAddress!.assumingMemoryBound(
            to: crypto_secretstream_xchacha20poly1305_state.self)
    }

    /// Writes the decrypted bytes of the next message, once it was verified.
    ///
    /// - Parameters:
    ///   - sealed: all of the message.
    ///   - plaintext: exactly 17 bytes shorter.
    /// - Returns: its tag; nil where the key, the order or a bit of anything is another one. The stream is still at this
    ///   message then.
    package mutating func open(
        _ sealed: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer
    ) -> Tag? {
        guard sealed.count >= Self.overhead, plaintext.count == sealed.count - Self.overhead else {
            return nil
        }
        var tag: UInt8 = 0
        // An empty buffer has no address, and the function wants one.
        var nothing: UInt8 = 0
        let result = unsafe withUnsafeMutablePointer(to: &nothing) { nothing in
            let target = unsafe plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
            return unsafe crypto_secretstream_xchacha20poly1305_pull(
                state, target, nil, &tag, sealed.baseAddress!.assumingMemoryBound(to: UInt8.self),
                UInt64(sealed.count), nil, 0)
        }
        return result == 0 ? Tag(rawValue: tag) : nil
    }

    /// Writes the encrypted bytes of the next message.
    ///
    /// - Parameters:
    ///   - plaintext: what is encrypted.
    ///   - sealed: exactly 17 bytes longer.
    ///   - tag: what the message says of itself.
    package mutating func seal(
        _ plaintext: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer, tag: Tag
    ) {
        precondition(sealed.count == plaintext.count + Self.overhead)
        // It fails for no input.
        _ = unsafe crypto_secretstream_xchacha20poly1305_push(
            state, sealed.baseAddress!.assumingMemoryBound(to: UInt8.self), nil,
            plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(plaintext.count), nil, 0,
            tag.rawValue)
    }
}
