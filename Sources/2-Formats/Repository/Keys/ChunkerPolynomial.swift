import ValiseEncoding

/// The polynomial over GF(2) of a repository's rolling hash: bit i is the coefficient of x^i.
///
/// Valise cuts databases by pages and needs none, but restic refuses a repository whose polynomial is not irreducible, and cuts
/// with it what it adds itself. Each repository has its own, so that sizes of chunks give files away to nobody.
package struct ChunkerPolynomial: Hashable, Sendable {
    package let bits: UInt64

    /// The degree of those that are drawn.
    package static let degree = 53

    /// - Throws: ``RepositoryError``: `damaged` for one that is not irreducible.
    package init(bits: UInt64) throws(RepositoryError) {
        guard Self.isIrreducible(bits) else {
            throw RepositoryError(.damaged, "the chunker polynomial is not irreducible")
        }
        self.bits = bits
    }

    /// - Parameter text: hexadecimal digits, as a configuration has them.
    /// - Throws: ``RepositoryError``: `damaged` for anything else, and for one that is not irreducible.
    package init(text: String) throws(RepositoryError) {
        // The initializer of integers takes signs.
        guard text.utf8.allSatisfy({ Hexadecimal.value($0) != nil }), let bits = UInt64(text, radix: 16)
        else {
            throw RepositoryError(.damaged, "the chunker polynomial is not a hexadecimal number")
        }
        try self.init(bits: bits)
    }

    /// Hexadecimal digits without zeros before them.
    package var text: String { String(bits, radix: 16) }

    /// The highest power of x.
    package var degree: Int { Self.degree(bits) }

    /// A random irreducible one of degree 53. One in 27 of the numbers that are tried is one.
    package static func random() -> ChunkerPolynomial {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// The same by a generator of the caller's.
    package static func random(using generator: inout some RandomNumberGenerator) -> ChunkerPolynomial {
        let top: UInt64 = 1 << UInt64(degree)
        while true {
            let bits = top | UInt64.random(in: 0..<top, using: &generator) | 1
            if let polynomial = try? ChunkerPolynomial(bits: bits) { return polynomial }
        }
    }

    // MARK: Arithmetic

    /// Ben-Or's test: no x^(2^i) - x, which has all irreducible polynomials of degree i and its divisors for factors, shares a
    /// factor with it, for i up to half of its degree.
    static func isIrreducible(_ polynomial: UInt64) -> Bool {
        let degree = degree(polynomial)
        guard degree >= 1 else { return false }
        var power = remainder(0b10, polynomial)
        for _ in 0..<degree / 2 {
            power = product(power, power, modulo: polynomial, degree)
            guard commonDivisor(polynomial, power ^ 0b10) == 1 else { return false }
        }
        return true
    }

    /// -1 for zero.
    private static func degree(_ polynomial: UInt64) -> Int { 63 - polynomial.leadingZeroBitCount }

    private static func remainder(_ dividend: UInt64, _ divisor: UInt64) -> UInt64 {
        var rest = dividend
        let degree = degree(divisor)
        while rest != 0, self.degree(rest) >= degree { rest ^= divisor << UInt64(self.degree(rest) - degree) }
        return rest
    }

    /// - Parameter degree: of the modulus, which both factors are below.
    private static func product(
        _ left: UInt64, _ right: UInt64, modulo modulus: UInt64, _ degree: Int
    ) -> UInt64 {
        let top: UInt64 = 1 << UInt64(degree - 1)
        var (sum, factor, rest): (UInt64, UInt64, UInt64) = (0, left, right)
        while rest != 0 {
            if rest & 1 == 1 { sum ^= factor }
            factor = factor & top == 0 ? factor << 1 : factor << 1 ^ modulus
            rest >>= 1
        }
        return sum
    }

    private static func commonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, remainder(left, right)) }
        return left
    }
}
