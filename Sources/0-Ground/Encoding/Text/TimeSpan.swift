/// Durations as users type them: a number and the letter of a unit, such as `30s`, `5m`, `12h`, `30d`, `8w` or `1y`.
package enum TimeSpan {
    private static let units: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400,
    ]
    private static let numbers: ClosedRange<Int64> = 0...1_000_000

    /// - Parameter allowed: the letters of the units that make sense.
    /// - Returns: seconds; nil for what is no duration.
    package static func decode(_ text: String, in allowed: String) -> Int64? {
        guard let letter = text.last, allowed.contains(letter), let unit = units[letter],
            let number = Int64(text.dropLast()), numbers.contains(number)
        else { return nil }
        return number * unit
    }
}
