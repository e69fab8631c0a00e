/// A list of 1,626 words in their order, in which Session's recovery passwords are written (fact sheet of Session, §5).
///
/// The lists are those of Electrum 1 and of Monero, as the package `monero` 1.1.1 of PyPI has them (`Copyright (c) 2017 Michał
/// Sałaban`, BSD license; the lists by dabura667, MIT license); `bip_utils` 2.12.3 has the same prefix lengths. The fact sheet
/// names the digest of the English one. A test compares all four with their digests.
struct SeedWords: Sendable {
    static let count = 1626

    /// As bytes of UTF-8: words of a recovery password are compared in guarded memory, and never become text.
    let all: [[UInt8]]

    init(lines: [String]) {
        all = lines.flatMap { $0.split(separator: ",").map { Array($0.utf8) } }
    }
}

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

/// Letters of valid UTF-8, which in these lists are scalars.
enum UTF8Letters {
    /// How many bytes the first letters have.
    static func byteCount(of bytes: some Collection<UInt8>, letters: Int) -> Int {
        var (count, left) = (0, letters)
        for byte in bytes {
            if byte & 0xc0 != 0x80 {
                if left == 0 { break }
                left -= 1
            }
            count += 1
        }
        return count
    }
}
