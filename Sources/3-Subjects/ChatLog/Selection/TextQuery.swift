/// What is searched in texts: words that all have to occur, `"phrases"` in quotes, and what must not occur behind a `-`. The
/// case of letters does not matter.
package struct TextQuery: Sendable, Equatable {
    private let wanted: [[UInt8]]
    private let unwanted: [[UInt8]]
    /// Whether all that is wanted is ASCII, so that texts need not be folded as a whole.
    private let isASCII: Bool

    /// - Returns: nil where nothing is wanted.
    package init?(_ text: String) {
        var wanted: [String] = []
        var unwanted: [String] = []
        var rest = Substring(text)
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { break }
            let isUnwanted = first == "-" && rest.count > 1 && !rest.dropFirst().first!.isWhitespace
            if isUnwanted { rest.removeFirst() }
            let word: Substring
            if rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
                word = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
            } else {
                word = rest.prefix { !$0.isWhitespace }
                rest = rest.dropFirst(word.count)
            }
            guard !word.isEmpty else { continue }
            if isUnwanted { unwanted.append(word.lowercased()) } else { wanted.append(word.lowercased()) }
        }
        guard !wanted.isEmpty else { return nil }
        isASCII = (wanted + unwanted).allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        self.wanted = wanted.map { Array($0.utf8) }
        self.unwanted = unwanted.map { Array($0.utf8) }
    }

    /// Where a text has what is wanted, as places in its UTF-8, one behind the other.
    func places(in text: String) -> [Range<Int>] {
        let folded = text.lowercased()
        // Where small letters have another length, those of ASCII are looked for.
        let bytes = Array((folded.utf8.count == text.utf8.count ? folded : text).utf8)
        var found: [Range<Int>] = []
        var place = 0
        while place < bytes.count {
            let rest = bytes[place...]
            let word = wanted.first { $0.count <= rest.count && Self.begins(rest, $0) }
            if let word { found.append(place..<place + word.count) }
            place += word?.count ?? 1
        }
        return found
    }

    /// Whether a text has all that is wanted.
    package func matches(_ text: String) -> Bool {
        if isASCII { return matches(utf8: text.utf8) }
        return matches(utf8: text.lowercased().utf8)
    }

    private func matches(utf8 text: String.UTF8View) -> Bool {
        let found = unsafe text.withContiguousStorageIfAvailable { bytes in
            wanted.allSatisfy { unsafe Self.contains($0, bytes) }
                && !unwanted.contains { unsafe Self.contains($0, bytes) }
        }
        return found ?? matches(copied: Array(text))
    }

    private func matches(copied text: [UInt8]) -> Bool {
        wanted.allSatisfy { Self.contains($0, text) } && !unwanted.contains { Self.contains($0, text) }
    }

    /// Letters of ASCII in any case.
    private static func contains(
        _ word: [UInt8], _ text: some RandomAccessCollection<UInt8>
    ) -> Bool {
        guard text.count >= word.count else { return false }
        let first = word[0]
        let upper = first &- 0x20
        let hasUpper = first >= 0x61 && first <= 0x7A
        var index = text.startIndex
        let end = text.index(text.endIndex, offsetBy: 1 - word.count)
        while index < end {
            let byte = text[index]
            if byte == first || hasUpper && byte == upper, Self.begins(text[index...], word) { return true }
            text.formIndex(after: &index)
        }
        return false
    }

    private static func begins(_ text: some Collection<UInt8>, _ word: [UInt8]) -> Bool {
        var place = text.startIndex
        for expected in word {
            let byte = text[place]
            let folded = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            guard folded == expected else { return false }
            text.formIndex(after: &place)
        }
        return true
    }
}
