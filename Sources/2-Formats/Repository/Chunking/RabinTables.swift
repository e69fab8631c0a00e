/// What a byte that comes into the window, and one that leaves it, change at the digest: made once for each polynomial.
struct RabinTables: Sendable {
    /// For the digest's highest eight bits, what reduces it.
    let reductions: [UInt64]
    /// The digest of a byte and 63 zeros behind it.
    let leaving: [UInt64]
    /// How far the digest's highest eight bits are shifted.
    let shift: UInt64

    /// Bytes that a digest covers.
    static let window = 64

    /// Where eight more bits fit into a word, and the 20 bits that decide on a cut are within.
    static let degrees = 24...55

    /// - Parameter polynomial: over GF(2), its bits as coefficients; restic's are irreducible and of degree 53.
    /// - Returns: nil for a degree that the algorithm cannot have.
    init?(polynomial: UInt64) {
        let degree = 63 - polynomial.leadingZeroBitCount
        guard Self.degrees.contains(degree) else { return nil }
        let bits = UInt64(degree)
        reductions = (0..<256).map { byte in
            Self.remainder(byte << bits, polynomial, degree) | byte << bits
        }
        leaving = (0..<256).map { byte in
            (0..<Self.window).reduce(0) { digest, place in
                Self.remainder(digest << 8 | (place == 0 ? byte : 0), polynomial, degree)
            }
        }
        shift = bits - 8
    }

    private static func remainder(_ value: UInt64, _ polynomial: UInt64, _ degree: Int) -> UInt64 {
        var rest = value
        while rest >> UInt64(degree) != 0 {
            rest ^= polynomial << UInt64(63 - rest.leadingZeroBitCount - degree)
        }
        return rest
    }
}
