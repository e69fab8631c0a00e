import ValiseChatSchema
import ValiseEncoding

/// Cuts a text that is too large for one message: between sentences, else between words, else anywhere between characters.
/// What has a format stays in one piece if one holds it.
enum TextSplit {
    /// - Parameter bytes: how many a piece has at most, as a text of JSON without its quotes.
    /// - Returns: pieces without white space at their ends, and without empty ones.
    static func pieces(of text: String, bytes: Int) -> [String] {
        var splitter = Splitter(limit: bytes)
        for part in FormattedText(text).parts {
            if part.format == nil {
                for sentence in sentences(of: part.text) { splitter.add(sentence) }
            } else {
                splitter.add(part.markup[...])
            }
        }
        return splitter.finish()
    }

    /// Each with the white space behind it.
    private static func sentences(of text: String) -> [Substring] {
        var sentences: [Substring] = []
        var start = text.startIndex
        var ends = false
        var place = start
        while place < text.endIndex {
            let character = text[place]
            let next = text.index(after: place)
            if character.isNewline {
                ends = true
            } else if character.isBlank {
                // What follows a sentence belongs to it.
            } else if ends, place > start, text[text.index(before: place)].isBlank {
                sentences.append(text[start..<place])
                start = place
                ends = isEnd(character)
            } else {
                ends = isEnd(character) || ends && isClosing(character)
                // These need no white space behind them.
                if isWideEnd(character) {
                    sentences.append(text[start..<next])
                    start = next
                    ends = false
                }
            }
            place = next
        }
        if start < text.endIndex { sentences.append(text[start...]) }
        return sentences
    }

    private static func isEnd(_ character: Character) -> Bool { ".!?…؟।".contains(character) }
    private static func isWideEnd(_ character: Character) -> Bool { "。！？".contains(character) }
    private static func isClosing(_ character: Character) -> Bool { "\"')]”’»".contains(character) }
}

private struct Splitter {
    let limit: Int
    private var pieces: [String] = []
    private var current = ""
    private var size = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ part: Substring) {
        let cost = Self.size(of: part)
        if size + cost <= limit {
            current += part
            size += cost
        } else if Self.size(of: Substring(String(part).trimmed)) <= limit {
            flush()
            current = String(part)
            size = cost
        } else {
            for word in Self.words(of: part) { add(word: word) }
        }
    }

    private mutating func add(word: Substring) {
        let cost = Self.size(of: word)
        if size + cost > limit { flush() }
        if cost <= limit {
            current += word
            size += cost
            return
        }
        for character in word {
            let cost = Self.size(of: Substring(String(character)))
            if size + cost > limit { flush() }
            current.append(character)
            size += cost
        }
    }

    /// Each with the space behind it.
    private static func words(of text: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end =
                text[start...].firstIndex(where: \.isBlank).map { text.index(after: $0) }
                ?? text.endIndex
            words.append(text[start..<end])
            start = end
        }
        return words
    }

    private mutating func flush() {
        let piece = current.trimmed
        if !piece.isEmpty { pieces.append(piece) }
        current = ""
        size = 0
    }

    mutating func finish() -> [String] {
        flush()
        return pieces
    }

    /// Bytes within a text of JSON.
    private static func size(of text: Substring) -> Int {
        var output: [UInt8] = []
        output.append(jsonText: String(text))
        return output.count - 2
    }
}

extension ComposeState {
    /// The pieces of the text with at most so many bytes each.
    package func textPieces(bytes: Int) -> [String] { TextSplit.pieces(of: message, bytes: bytes) }
}
