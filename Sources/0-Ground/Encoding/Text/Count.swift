/// Numbers of things for people: the only place that makes plurals.
package enum Count {
    /// Such as `1 file`, `2 files`, `3 entries`.
    ///
    /// - Parameter noun: in the singular; its last word is what is counted.
    package static func text(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(Self.noun(number, noun))"
    }

    /// Bytes, such as `12.3 MB`; powers of 1000.
    package static func bytes(_ number: Int64) -> String {
        var value = Double(number)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 {
                return unit == "bytes" ? text(number, "byte") : "\(oneDecimal(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(oneDecimal(value)) TB"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The noun alone, for what is named behind it, such as `page 3`, `pages 3, 5`.
    package static func noun(_ number: some BinaryInteger, _ noun: String) -> String {
        guard number != 1 else { return noun }
        if noun.hasSuffix("y"), !vowels.contains(noun.dropLast().last ?? "y") {
            return "\(noun.dropLast())ies"
        }
        return sibilants.contains(where: noun.hasSuffix) ? "\(noun)es" : "\(noun)s"
    }

    private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
    private static let sibilants = ["s", "x", "z", "ch", "sh"]
}
