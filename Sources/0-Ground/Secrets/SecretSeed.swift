import CValiseSodium
import ValiseFailures

/// 32 secret bytes: a private key or the key of a cipher.
///
/// Thousands of them share each piece of guarded memory: one of its own would take several pages for every chunk of a
/// file. Its place is wiped when the last owner lets go.
package final class SecretSeed: Sendable {
    private static let places = SecretPlaces(byteCount: byteCount, capacity: 512)
    private let place: SecretPlace

    /// In bytes.
    package static let byteCount = 32

    /// - Parameter fill: gets 32 zeros to write over.
    /// - Throws: ``SecretsError`` when no guarded memory is available; whatever `fill` throws.
    package init(filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        place = try Self.places.take()
        // From here on the object is whole, and its end gives the place back.
        try unsafe fill(place.bytes)
    }

    /// A fresh random one.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package convenience init() throws {
        try unsafe self.init { unsafe randombytes_buf($0.baseAddress!, $0.count) }
    }

    /// A copy. Wipe the original where it was secret.
    /// - Throws: ``SecretsError``: `invalid` for another length; when no guarded memory is available.
    package convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count == Self.byteCount else {
            throw SecretsError(.invalid, "wrong key length: expected 32 bytes, got \(bytes.count)")
        }
        try unsafe self.init { unsafe $0.copyMemory(from: bytes) }
    }

    /// A copy. Wipe the original where it was secret.
    /// - Throws: ``SecretsError``: `invalid` for another length; when no guarded memory is available.
    package convenience init(copying bytes: [UInt8]) throws {
        guard bytes.count == Self.byteCount else {
            throw SecretsError(.invalid, "wrong key length: expected 32 bytes, got \(bytes.count)")
        }
        try unsafe self.init { unsafe $0.copyBytes(from: bytes) }
    }

    deinit { Self.places.release(place) }

    /// Lends the bytes. They must not be kept.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(place.bytes))
    }

    /// Compares in constant time.
    package func equals(_ other: SecretSeed) -> Bool {
        unsafe withBytes { mine in
            unsafe other.withBytes {
                unsafe sodium_memcmp(mine.baseAddress!, $0.baseAddress!, Self.byteCount) == 0
            }
        }
    }
}

extension SecretSeed: CustomStringConvertible {
    /// What may be printed of a secret.
    package var description: String { "<redacted>" }
}
