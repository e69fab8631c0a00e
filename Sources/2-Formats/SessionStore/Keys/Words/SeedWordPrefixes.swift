/// The words of a list by their first letters.
struct SeedWordPrefixes: Sendable {
    private struct Entry {
        let prefix: [UInt8]
        let place: Int
    }

    private let entries: [Entry]
    /// In letters.
    let length: Int

    init(_ words: SeedWords, length: Int) {
        self.length = length
        entries = words.all.enumerated().map { place, word in
            Entry(prefix: Array(word.prefix(UTF8Letters.byteCount(of: word, letters: length))), place: place)
        }
        .sorted { $0.prefix.lexicographicallyPrecedes($1.prefix) }
    }

    /// The place of the word with these first letters; nil where none has them.
    /// - Parameter typed: a word of any length.
    func place(of typed: UnsafeRawBufferPointer) -> Int? {
        let count = unsafe UTF8Letters.byteCount(of: typed, letters: length)
        let prefix = unsafe UnsafeRawBufferPointer(rebasing: typed[..<count])
        var range = entries.startIndex..<entries.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if unsafe prefix.elementsEqual(entries[middle].prefix) { return entries[middle].place }
            if unsafe prefix.lexicographicallyPrecedes(entries[middle].prefix) {
                range = range.lowerBound..<middle
            } else {
                range = (middle + 1)..<range.upperBound
            }
        }
        return nil
    }
}
