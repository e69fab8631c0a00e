/// Finds addresses and numbers of phones in texts.
///
/// The rules of formats (`FormattedText`) find what a user can tap. Here nothing may be missed: what stands in brackets, behind
/// other characters or within bold text is found, too, and what only looks like an address or a number counts as one.
enum ContactDetails {
    enum Kind { case link, email, phone }

    /// A place of a text.
    struct Place {
        let range: Range<String.Index>
        let kind: Kind
    }

    typealias Scalars = Substring.UnicodeScalarView

    /// What is in a text, in its order.
    static func places(in text: Substring) -> [Place] {
        guard mayHave(text.utf8) else { return [] }
        let scalars = text.unicodeScalars
        var places: [Place] = []
        for word in scalars.split(whereSeparator: \.properties.isWhitespace) {
            addLinks(in: word, to: &places)
        }
        var gap = scalars.startIndex
        for place in places {
            addPhones(in: scalars[gap..<place.range.lowerBound], to: &places)
            gap = place.range.upperBound
        }
        addPhones(in: scalars[gap...], to: &places)
        return places.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func mayHave(_ bytes: Substring.UTF8View) -> Bool {
        bytes.contains { byte in
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"), 0x80...,
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
    }

    // MARK: Addresses

    private static func addLinks(in word: Scalars, to places: inout [Place]) {
        if let start = schemeStart(in: word) {
            addLinks(inPart: word[..<start], to: &places)
            places.append(Place(range: start..<trimmedEnd(of: word[start...]), kind: .link))
        } else if word.count > 1, word.first == "#", word.dropFirst().first?.isOfAddress == true,
            !word.dropFirst().contains("#")
        {
            // A name of a group.
            places.append(Place(range: word.startIndex..<trimmedEnd(of: word), kind: .link))
        } else {
            addLinks(inPart: word, to: &places)
        }
    }

    /// Where `scheme:/` begins: the first one of the word.
    private static func schemeStart(in word: Scalars) -> Scalars.Index? {
        var search = word[...]
        while let colon = search.firstIndex(of: ":") {
            let rest = word[word.index(after: colon)...]
            var start = colon
            while start > word.startIndex {
                let before = word.index(before: start)
                guard word[before].isASCIILetterOrDigit || word[before] == "+" else { break }
                start = before
            }
            let isLong = word[start..<colon].count > 1
            if isLong, rest.first == "/" || word[start..<colon].elementsEqual("magnet".unicodeScalars) {
                return start
            }
            search = rest
        }
        return nil
    }

    private static let closing = Set("()[]{}<>\"'`.,;:!?*_~|".unicodeScalars)

    private static func trimmedEnd(of word: Scalars) -> Scalars.Index {
        var end = word.endIndex
        while end > word.index(after: word.startIndex), closing.contains(word[word.index(before: end)]) {
            end = word.index(before: end)
        }
        return end
    }

    /// Addresses without a scheme: runs of what they are made of.
    private static func addLinks(inPart part: Scalars, to places: inout [Place]) {
        var place = part.startIndex
        while place < part.endIndex {
            let run = part[place...].prefix { $0.isOfAddress || $0 == "@" }
            guard !run.isEmpty else {
                part.formIndex(after: &place)
                continue
            }
            place = run.endIndex
            guard let found = address(run) else { continue }
            // What follows a host belongs to it: a port, a path.
            if found.kind == .link, found.range.upperBound == run.endIndex, let next = part[place...].first,
                "/:?#".unicodeScalars.contains(next)
            {
                let end = max(trimmedEnd(of: part[run.startIndex...]), run.endIndex)
                places.append(Place(range: found.range.lowerBound..<end, kind: .link))
                return
            }
            places.append(found)
        }
    }

    private static func address(_ run: Scalars) -> Place? {
        var run = run
        while let first = run.first, ".-".unicodeScalars.contains(first) { run.removeFirst() }
        while let last = run.last, ".-_+@".unicodeScalars.contains(last) { run.removeLast() }
        let range = run.startIndex..<run.endIndex
        if let sign = run.lastIndex(of: "@") {
            if sign > run.startIndex { return Place(range: range, kind: .email) }
            // A SimpleX name of a contact.
            return isHost(run[run.index(after: sign)...]) ? Place(range: range, kind: .link) : nil
        }
        return isHost(run) ? Place(range: range, kind: .link) : nil
    }

    /// Labels with periods between them, the last one of letters; or four numbers.
    private static func isHost(_ run: Scalars) -> Bool {
        let labels = run.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let top = labels.last, labels.allSatisfy({ !$0.isEmpty }) else {
            return false
        }
        if labels.allSatisfy({ $0.count <= 3 && $0.allSatisfy(\.isAnyDigit) }) { return labels.count == 4 }
        return top.count > 1 && (top.allSatisfy { !$0.isAnyDigit } || top.starts(with: "xn--".unicodeScalars))
    }

    // MARK: Phones

    private static let fewestDigits = 7
    private static let separators = Set(
        " -./()\u{A0}\u{2007}\u{2009}\u{2010}\u{2011}\u{2013}\u{202F}".unicodeScalars)

    /// Groups of digits with at most two separators between them.
    private static func addPhones(in text: Scalars, to places: inout [Place]) {
        var place = text.startIndex
        while place < text.endIndex {
            guard text[place].isAnyDigit else {
                text.formIndex(after: &place)
                continue
            }
            var (end, count, gap) = (place, 0, 0)
            var next = place
            while next < text.endIndex, gap <= 2 {
                if text[next].isAnyDigit {
                    (count, gap) = (count + 1, 0)
                    end = text.index(after: next)
                } else if separators.contains(text[next]) {
                    gap += 1
                } else {
                    break
                }
                text.formIndex(after: &next)
            }
            if count >= fewestDigits {
                let isClosed = text[place..<end].contains(")")
                let start = phoneStart(place, in: text, withBracket: isClosed)
                places.append(Place(range: start..<end, kind: .phone))
            }
            place = end
        }
    }

    /// A plus before the digits belongs to the number, and so does a bracket that is closed within it.
    private static func phoneStart(
        _ digits: Scalars.Index, in text: Scalars, withBracket: Bool
    ) -> Scalars.Index {
        var start = digits
        while start > text.startIndex {
            let before = text.index(before: start)
            guard text[before] == "+" || withBracket && text[before] == "(" else { break }
            start = before
        }
        return start
    }
}

extension Unicode.Scalar {
    /// A digit of any alphabet.
    fileprivate var isAnyDigit: Bool {
        value < 128 ? ("0"..."9").contains(self) : properties.generalCategory == .decimalNumber
    }

    /// What hosts and the names before an `@` are made of.
    fileprivate var isOfAddress: Bool {
        value < 128
            ? isASCIILetterOrDigit || ".-_+%".unicodeScalars.contains(self)
            : properties.isAlphabetic || isAnyDigit
    }
}
