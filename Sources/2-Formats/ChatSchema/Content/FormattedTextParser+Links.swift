/// Named links and numbers of phones.
extension FormattedTextParser {
    /// `[name](address)`.
    mutating func namedLink() -> Bool {
        let close = nextBracket()
        let start = close + 2
        guard close > position + 1, start < lineEnd, text[close + 1] == "(" else { return false }
        // No address has white space.
        let stop = end(from: start) { $0 != ")" && !$0.isSpace }
        guard stop > start, stop < lineEnd, text[stop] == ")" else { return false }
        let (name, address) = (text[(position + 1)..<close], text[start..<stop])
        guard Self.agrees(name, with: address) else { return false }
        let link = Self.text(address)
        switch SimplexAddress(address) {
        case .short?:
            return add(
                .simplexLink(name: Self.text(name), address: link), position..<(stop + 1), to: stop + 1)
        case .full?: return false
        case nil:
            guard WebAddress.isLink(address) else { return false }
            return add(.namedLink(name: Self.text(name), address: link), position..<(stop + 1), to: stop + 1)
        }
    }

    /// A name that looks like an address must be that of the link: `[bank.example](https://thief.example)` deceives.
    private static func agrees(_ name: Piece, with address: Piece) -> Bool {
        guard name.contains(where: { $0.isPunctuation && $0 != "-" && $0 != "_" }) else { return true }
        if name.count == address.count { return name == address }
        let scheme = "https://".unicodeScalars
        return name.count + scheme.count == address.count && address.starts(with: scheme)
            && address.dropFirst(scheme.count) == name
    }

    private static let phoneSizes = 7...22

    /// Groups of digits, with one space, hyphen or period between them at most.
    mutating func phone() -> Bool {
        func isSeparator(_ letter: Unicode.Scalar) -> Bool { letter == " " || letter == "-" || letter == "." }
        func digits(_ start: Int) -> Int { end(from: start) { $0.isDigit } }
        var stop = position
        if text[stop] == "+" {
            stop = digits(stop + 1)
            guard stop > position + 1 else { return false }
        }
        let open = stop < lineEnd && isSeparator(text[stop]) ? stop + 1 : stop
        if open < lineEnd, text[open] == "(" {
            let close = digits(open + 1)
            if close > open + 1, close < lineEnd, text[close] == ")" { stop = close + 1 }
        }
        // A line of many numbers is no longer one.
        while stop < lineEnd, stop - position <= Self.phoneSizes.upperBound {
            let start = isSeparator(text[stop]) ? stop + 1 : stop
            let next = digits(start)
            guard next > start else { break }
            stop = next
        }
        return Self.phoneSizes.contains(stop - position) && add(.phone, position..<stop, to: stop)
    }
}
