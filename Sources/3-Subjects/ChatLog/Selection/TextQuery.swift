import ValiseEncoding

/// What is searched in texts: words that all have to occur, `"phrases"` in quotes, and what must not occur behind a `-`. The
/// case of letters does not matter.
package struct TextQuery: Sendable, Equatable {
    /// What has to occur, in small letters.
    let wanted: [[UInt8]]
    private let unwanted: [[UInt8]]
    /// Whether all that is wanted is ASCII, so that texts need not be folded as a whole.
    private let isASCII: Bool
    /// Whether something is wanted that is not ASCII.
    private let wantsOther: Bool

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
        wantsOther = wanted.contains { $0.utf8.contains { $0 >= 0x80 } }
        self.wanted = wanted.map { Array($0.utf8) }
        self.unwanted = unwanted.map { Array($0.utf8) }
    }

    /// Where a text has what is wanted, as places in its UTF-8, one behind the other.
    func places(in text: String) -> [Range<Int>] {
        let folded = text.lowercased()
        // Where small letters have another length, those of ASCII are looked for.
        let bytes = Array((folded.utf8.count == text.utf8.count ? folded : text).utf8)
        return unsafe bytes.withUnsafeBytes { bytes in
            var found: [Range<Int>] = []
            var place = 0
            while place < bytes.count {
                let word = wanted.first { unsafe ByteSearch.isInAnyCase($0, bytes, at: place) }
                if let word { found.append(place..<place + word.count) }
                place += word?.count ?? 1
            }
            return found
        }
    }

    /// Whether a text has all that is wanted.
    package func matches(_ text: String) -> Bool {
        var text = isASCII ? text : text.lowercased()
        return text.withUTF8 { unsafe matches(UnsafeRawBufferPointer($0)) }
    }

    /// The same of a text as it is stored, without making a `String` of it.
    func matches(stored bytes: UnsafeRawBufferPointer, _ folding: inout TextFolding) -> Bool {
        if isASCII { return unsafe matches(bytes) }
        // Small letters of ASCII are those of ASCII.
        if wantsOther, unsafe !TextFolding.hasOther(bytes) { return false }
        return unsafe folding.withFolded(bytes) { unsafe matches($0) }
    }

    /// Whether an item whose line of JSON this is may match. What JSON may write in another way is left to who reads the line.
    func mayMatch(line: ArraySlice<UInt8>) -> Bool {
        guard isASCII else { return true }
        return unsafe line.withUnsafeBytes { line in
            wanted.allSatisfy { word in
                if word.contains(where: Self.mayBeEscaped) { return true }
                if unsafe ByteSearch.containsInAnyCase(line, word) { return true }
                return unsafe ByteSearch.contains(line, Self.escape)
            }
        }
    }

    /// Whether a message of Session may match whose text and document these are. Names that its text mentions are nowhere in it.
    func mayMatch(session text: UnsafeRawBufferPointer, document: UnsafeRawBufferPointer) -> Bool {
        if unsafe [text, document].contains(where: { unsafe ByteSearch.contains($0, Self.mention) }) {
            return true
        }
        guard isASCII else {
            if !wantsOther { return true }
            return unsafe [text, document].contains { unsafe TextFolding.hasOther($0) }
        }
        return wanted.allSatisfy { word in
            if Self.mayBeAdded(word) || word.contains(where: Self.mayBeEscaped) { return true }
            if unsafe ByteSearch.containsInAnyCase(text, word) { return true }
            if unsafe ByteSearch.containsInAnyCase(document, word) { return true }
            return unsafe ByteSearch.contains(document, Self.escape)
        }
    }

    private static let mention = Array("@".utf8)

    /// Whether this may be in what stands in front of the text of a voice message, or between both.
    private static func mayBeAdded(_ word: [UInt8]) -> Bool {
        word.first == UInt8(ascii: " ") || word.contains { "();:".utf8.contains($0) }
            || word.allSatisfy { added.contains($0) }
    }

    private static let added = Set("voice message 0123456789".utf8)

    /// What begins a character in JSON that is written by its number.
    private static let escape = Array("\\u".utf8)

    private static func mayBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
            || byte == 0x7F
    }

    private func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        wanted.allSatisfy { unsafe ByteSearch.containsInAnyCase(bytes, $0) }
            && !unwanted.contains { unsafe ByteSearch.containsInAnyCase(bytes, $0) }
    }
}
