/// Sizes as users type them: a number with or without a unit, such as `20 GB`, `20gb`, `18.6 GiB` or `1500`.
package enum ByteSize {
    /// Powers of 1000, and with an `i` of 1024; the case of letters does not matter.
    private static let prefixes: [Character] = ["k", "m", "g", "t", "p"]
    /// More of them say nothing that a byte could show.
    private static let mostDecimals = 9

    /// - Returns: the number of bytes, rounded down; nil for what is no size, or too large for one.
    package static func decode(_ text: some StringProtocol) -> Int64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let rest = text[number.endIndex...].drop { $0 == " " }
        guard let factor = factor(rest.lowercased()) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), decimals.count <= mostDecimals,
            let whole = Int64(parts[0])
        else { return nil }
        let (bytes, overflow) = whole.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        var (unit, fraction): (Int64, Int64) = (1, 0)
        for digit in decimals.compactMap(\.wholeNumberValue) {
            unit *= 10
            fraction = fraction * 10 + Int64(digit)
        }
        let (sum, tooMuch) = bytes.addingReportingOverflow(
            Int64((Double(factor) * Double(fraction) / Double(unit)).rounded(.down)))
        return tooMuch ? nil : sum
    }

    /// Bytes in a unit: none, `b`, or a prefix with or without `b` or `ib`.
    private static func factor(_ unit: String) -> Int64? {
        if ["", "b", "byte", "bytes"].contains(unit) { return 1 }
        guard let power = unit.first.flatMap({ prefixes.firstIndex(of: $0) }) else { return nil }
        let base: Int64
        switch unit.dropFirst() {
        case "", "b": base = 1000
        case "i", "ib": base = 1024
        default: return nil
        }
        return (0...power).reduce(1) { product, _ in product * base }
    }
}
