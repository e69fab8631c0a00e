/// Numbers of things for people: the only place that makes plurals.
package enum Count {
    /// Such as `1 file`, `2 files`, `3 entries`.
    ///
    /// - Parameter noun: in the singular; its last word is what is counted.
    package static func text(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(Self.noun(number, noun))"
    }

    /// The size of a file, of free space or of a limit, such as `12.3 MB`; powers of 1000. The length of a field of a format
    /// is no size: ``text(_:_:)`` has it exactly.
    package static func bytes(_ number: Int64) -> String {
        var value = Double(number)
        for unit in ["bytes", "kB", "MB", "GB"] {
            // What is rounded to 1000 has the next unit.
            if (value * 10).rounded() < 10_000 {
                return unit == "bytes" ? text(number, "byte") : "\(oneDecimal(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(oneDecimal(value)) TB"
    }

    /// Two sizes that are compared: both exact where they differ by less than one decimal shows.
    package static func bytes(_ number: Int64, and other: Int64) -> (String, String) {
        let texts = (bytes(number), bytes(other))
        guard texts.0 == texts.1, number != other else { return texts }
        return (text(number, "byte"), text(other, "byte"))
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

    /// What a number of things does, such as `1 of 61 files matches`.
    package static func verb(_ number: some BinaryInteger, _ verb: String) -> String {
        guard number == 1 else { return verb }
        return sibilants.contains(where: verb.hasSuffix) ? "\(verb)es" : "\(verb)s"
    }

    private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
    private static let sibilants = ["s", "x", "z", "ch", "sh"]
}
