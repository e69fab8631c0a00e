/// Finds the words of texts as the search compares them.
struct WordScanner {
    /// What characters are.
    private(set) var folds = FoldedScalars()
    private var word: [UInt8] = []
    private var length = 0

    /// Of a longer word only the beginning counts.
    static let mostScalars = 40

    /// Passes each word as UTF-8.
    mutating func forEachWord(in text: String, _ body: (borrowing [UInt8]) throws -> Void) rethrows {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x61...0x7A, 0x30...0x39: append(UInt8(truncatingIfNeeded: scalar.value))
            case 0x41...0x5A: append(UInt8(truncatingIfNeeded: scalar.value | 32))
            case 0..<128: try end(body)
            default:
                switch folds.fold(scalar) {
                case .dropped: break
                case .separator: try end(body)
                case .single:
                    try end(body)
                    word.append(contentsOf: String(scalar).utf8)
                    try end(body)
                case .letters(let letters): append(letters)
                }
            }
        }
        try end(body)
    }

    private mutating func append(_ byte: UInt8) {
        if length < Self.mostScalars { word.append(byte) }
        length += 1
    }

    private mutating func append(_ letters: [UInt8]) {
        if length < Self.mostScalars { word.append(contentsOf: letters) }
        length += 1
    }

    private mutating func end(_ body: (borrowing [UInt8]) throws -> Void) rethrows {
        if !word.isEmpty { try body(word) }
        word.removeAll(keepingCapacity: true)
        length = 0
    }
}
