/// The correction of QR codes: remainders of polynomials over the field of 256 elements (ISO/IEC 18004, §7.5).
struct ReedSolomon {
    /// Powers of 2 in the field, twice over, and their exponents. Its polynomial is x⁸ + x⁴ + x³ + x² + 1.
    private static let (powers, exponents): ([UInt8], [Int]) = {
        var powers = [UInt8](repeating: 0, count: 510)
        var exponents = [Int](repeating: 0, count: 256)
        var power = 1
        for exponent in 0..<255 {
            powers[exponent] = UInt8(power)
            powers[exponent + 255] = UInt8(power)
            exponents[power] = exponent
            power <<= 1
            if power > 255 { power ^= 0x11d }
        }
        return (powers, exponents)
    }()

    /// The exponents of the divisor's coefficients below the highest, which is 1.
    private let divisor: [Int]

    /// - Parameter count: how many codewords of correction there are.
    init(count: Int) {
        var divisor: [UInt8] = [1]
        for exponent in 0..<count {
            // Times (x - 2^exponent): the highest coefficient comes first.
            divisor.append(0)
            for index in stride(from: divisor.count - 1, through: 1, by: -1) {
                divisor[index] ^= Self.product(divisor[index - 1], exponent)
            }
        }
        self.divisor = divisor.dropFirst().map { Self.exponents[Int($0)] }
    }

    private static func product(_ value: UInt8, _ exponent: Int) -> UInt8 {
        value == 0 ? 0 : powers[exponents[Int(value)] + exponent]
    }

    /// Writes the correction of `data` to `correction`, which has the right size and holds zeros.
    func write(_ data: UnsafeRawBufferPointer, to correction: UnsafeMutableRawBufferPointer) {
        let last = correction.count - 1
        for place in data.indices {
            let factor = unsafe data[place] ^ correction[0]
            for index in 0..<last { unsafe correction[index] = correction[index + 1] }
            unsafe correction[last] = 0
            guard factor != 0 else { continue }
            let exponent = Self.exponents[Int(factor)]
            for index in 0...last { unsafe correction[index] ^= Self.powers[divisor[index] + exponent] }
        }
    }
}
