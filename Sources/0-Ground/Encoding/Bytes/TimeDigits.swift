/// Reads the numbers of a time from its text, one byte after the other: millions of times are read from one account.
struct TimeDigits {
    private var bytes: Substring.UTF8View.Iterator
    /// The next byte; nil at the end.
    private(set) var next: UInt8?

    init(_ text: some StringProtocol) {
        bytes = Substring(text).utf8.makeIterator()
        next = bytes.next()
    }

    /// A number of so many digits.
    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// The digits behind a decimal point, in billionths; what is smaller is cut off. Nil for none and for more than 12.
    mutating func fraction() -> Int? {
        var (value, count) = (0, 0)
        while let digit = digit() {
            if count < 9 { value = value * 10 + digit }
            count += 1
        }
        guard (1...12).contains(count) else { return nil }
        for _ in count..<max(count, 9) { value *= 10 }
        return value
    }

    private mutating func digit() -> Int? {
        guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        next = bytes.next()
        return Int(byte - UInt8(ascii: "0"))
    }

    /// Passes over a character, if it is the next one.
    mutating func take(_ character: UnicodeScalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        next = bytes.next()
        return true
    }
}
