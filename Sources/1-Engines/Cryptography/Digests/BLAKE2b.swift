import CValiseSodium
import ValiseFailures
package import ValiseSecrets

/// BLAKE2b (RFC 7693) of any length, with a key or without, in steps.
///
/// Its state lies in guarded memory, as what is digested may be secret. For one thread at a time.
package struct BLAKE2b: ~Copyable {
    private static let places = SecretPlaces(
        byteCount: (crypto_generichash_statebytes() + 63) / 64 * 64, capacity: 16)
    private let place: SecretPlace
    private let size: Int

    /// - Parameters:
    ///   - size: of the digest, 1 to 64 bytes.
    ///   - key: at most 64 bytes; none where it is empty.
    /// - Throws: ``SodiumError`` with `invalid` for other lengths; `SecretsError` when no guarded memory is available.
    package init(size: Int, key: [UInt8] = []) throws {
        guard (1...64).contains(size), key.count <= 64 else {
            throw SodiumError(.invalid, "wrong digest or key length")
        }
        let place = try Self.places.take()
        (self.place, self.size) = (place, size)
        _ = unsafe crypto_generichash_init(state, key, key.count, size)
    }

    deinit { Self.places.release(place) }

    // Swift does not import the type, which is aligned to 64 bytes, as places are.
    private var state: OpaquePointer { unsafe OpaquePointer(place.bytes.baseAddress!) }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        _ = unsafe crypto_generichash_update(state, start, UInt64(bytes.count))
    }

    /// Adds bytes to what is digested.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Adds a secret to what is digested.
    package mutating func update(_ seed: SecretSeed) {
        unsafe seed.withBytes { unsafe update($0) }
    }

    /// Writes the digest of all that was added. Call it once.
    /// - Parameter digest: as many bytes as were asked for.
    package mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        precondition(digest.count == size)
        _ = unsafe crypto_generichash_final(
            state, digest.baseAddress!.assumingMemoryBound(to: UInt8.self), size)
    }

    /// The digest of all that was added, where it is no secret. Call it once.
    package consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        _ = unsafe crypto_generichash_final(state, &digest, size)
        return digest
    }
}
