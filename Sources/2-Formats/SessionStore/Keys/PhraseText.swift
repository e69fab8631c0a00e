import ValiseSecrets

/// A recovery password as it was typed, in one form: lower case, letters composed, one space between two words.
///
/// All of it stays in guarded memory, so nothing here is a text of Swift's.
struct PhraseText: ~Copyable {
    /// The words and their spaces, in UTF-8.
    let text: SecretBytes
    /// Where the words are.
    let words: [Range<Int>]

    /// In bytes: nobody types as much.
    static let longest = 4096
    private static let space = UInt8(ascii: " ")

    /// - Throws: ``RecoveryPasswordError`` with `tooLong`; `SecretsError` when no guarded memory is available.
    init(_ typed: borrowing SecretBytes) throws {
        guard typed.count <= Self.longest else { throw RecoveryPasswordError(.tooLong) }
        // A byte that is no text becomes a mark of three.
        text = try unsafe SecretBytes(capacity: typed.count * 3) { memory in
            var writer = unsafe PhraseWriter(memory)
            unsafe typed.withBytes { bytes in
                var input = unsafe bytes.makeIterator()
                var decoder = UTF8()
                while true {
                    switch unsafe decoder.decode(&input) {
                    case .scalarValue(let scalar): writer.put(scalar)
                    case .error: writer.put("\u{fffd}")
                    case .emptyInput: return
                    }
                }
            }
            return writer.finish()
        }
        words = unsafe text.withBytes { unsafe Self.words(in: $0) }
    }

    private static func words(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for place in 0...text.count where unsafe place == text.count || text[place] == space {
            if start < place { words.append(start..<place) }
            start = place + 1
        }
        return words
    }

    /// Lends a word.
    borrowing func withWord<Result>(
        _ place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe text.withBytes { try unsafe body(UnsafeRawBufferPointer(rebasing: $0[words[place]])) }
    }
}
