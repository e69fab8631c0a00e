package import ValiseXFTPWire

/// A name of 16 bytes, as relays make them, without an array of its own.
package struct StoredID: Hashable, Sendable {
    package static let byteCount = 16

    let high: UInt64
    let low: UInt64

    /// - Returns: nil for any other length.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package init?(_ id: EntityID) { self.init(id.bytes) }

    /// A new one, which nobody can guess.
    package init() {
        var generator = SystemRandomNumberGenerator()
        high = generator.next()
        low = generator.next()
    }

    package var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// 16 bytes are always a name.
    package var entity: EntityID { EntityID(bytes)! }
}

/// As their bytes are ordered.
extension StoredID: Comparable {
    package static func < (one: StoredID, other: StoredID) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}

/// 32 bytes, a key or a digest, without an array of its own.
struct StoredBytes: Hashable, Sendable {
    static let byteCount = 32
    static let zero = StoredBytes()

    private let words: SIMD4<UInt64>

    private init() { words = .zero }

    /// - Returns: nil for any other length.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        words = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    var bytes: [UInt8] { unsafe withUnsafeBytes(of: words) { unsafe Array($0) } }
}
