/// Sizes as descriptions have them: a number of bytes, or with the unit `kb`, `mb` or `gb` (of 1024).
package enum SizeText {
    private static let units: [(name: String, shift: Int64)] = [("gb", 30), ("mb", 20), ("kb", 10)]

    /// With the largest unit that divides it.
    package static func encode(_ size: Int64) -> String {
        for (name, shift) in units where size > 0 && size % (1 << shift) == 0 {
            return "\(size >> shift)\(name)"
        }
        return "\(size)"
    }

    /// - Returns: nil for what is no size, or too large for one.
    package static func decode(_ text: some StringProtocol) -> Int64? {
        let unit = units.first { text.hasSuffix($0.name) }
        let digits = text.dropLast(unit == nil ? 0 : 2)
        guard (1...19).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(digits)
        else { return nil }
        let (size, overflow) = number.multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        return overflow ? nil : size
    }
}
