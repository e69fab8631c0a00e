import ValiseEncoding

/// A part of what is searched for that lies within one word of the index.
struct IndexWord: Equatable {
    /// What words of the index have to do with it.
    enum Place: Equatable {
        /// They are it.
        case whole
        /// They begin with it.
        case start
        /// They end with it.
        case end
        /// They contain it.
        case inside
    }

    let bytes: [UInt8]
    let place: Place

    /// Whether a byte is one of a word, as FTS5's tokenizer `ascii` has it: a letter or digit of ASCII, or of any other character.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// The words of a text.
    static func words(of text: [UInt8]) -> [ArraySlice<UInt8>] { text.split { !isOfWord($0) } }

    /// What a text that contains something has among its words.
    static func parts(of wanted: [UInt8]) -> [IndexWord] {
        words(of: wanted).map { word in
            let begins = word.startIndex > wanted.startIndex
            let ends = word.endIndex < wanted.endIndex
            let place: Place =
                switch (begins, ends) {
                case (true, true): .whole
                case (true, false): .start
                case (false, true): .end
                case (false, false): .inside
                }
            return IndexWord(bytes: Array(word), place: place)
        }
    }

    /// Whether a word of the index has it in this place.
    func isIn(_ word: [UInt8]) -> Bool {
        switch place {
        case .whole: word == bytes
        case .start: word.starts(with: bytes)
        case .end: word.count >= bytes.count && word.suffix(bytes.count).elementsEqual(bytes)
        case .inside: unsafe word.withUnsafeBytes { unsafe ByteSearch.contains($0, bytes) }
        }
    }

    /// How many characters it has.
    var length: Int { bytes.count { $0 & 0xC0 != 0x80 } }

    /// As an expression of FTS5, which words of letters and digits alone cannot leave.
    static func expression(_ word: [UInt8]) -> String { "\"\(String(decoding: word, as: UTF8.self))\"" }
}
