import ValiseSecrets

/// Which words of a list a misspelled one resembles.
///
/// As `EditDistance`, but over guarded memory: what is nearly a word of a secret is no text of Swift's either.
enum SeedWordDistance {
    /// In letters: what is longer resembles nothing.
    private static let longest = 24
    private static let most = 3

    /// At most three words, the most similar first; in the order of the list where they are equally similar.
    static func nearest(to typed: UnsafeRawBufferPointer, in list: SeedWords) -> [String] {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: longest) { memory in
            defer { unsafe SecretMemory.wipe(UnsafeMutableRawBufferPointer(memory)) }
            guard let count = unsafe decode(typed, into: memory), count > 0 else { return [] }
            let letters = unsafe UnsafeMutableBufferPointer(rebasing: memory[..<count])
            let limit = max(1, count / 3)
            let near = list.all.compactMap { word -> (distance: Int, word: [UInt8])? in
                let distance = unsafe between(
                    letters, String(decoding: word, as: UTF8.self).unicodeScalars.map(\.value))
                return distance <= limit ? (distance, word) : nil
            }
            guard let least = near.map(\.distance).min() else { return [] }
            return near.filter { $0.distance == least }.prefix(most).map {
                String(decoding: $0.word, as: UTF8.self)
            }
        }
    }

    /// The letters as numbers; nil where there are too many.
    private static func decode(
        _ text: UnsafeRawBufferPointer, into letters: UnsafeMutableBufferPointer<UInt32>
    ) -> Int? {
        var (decoder, input, count) = unsafe (UTF8(), text.makeIterator(), 0)
        while case .scalarValue(let scalar) = unsafe decoder.decode(&input) {
            guard count < letters.count else { return nil }
            unsafe letters[count] = scalar.value
            count += 1
        }
        return count
    }

    /// How many letters differ, were added, left out, or changed places with their neighbor.
    private static func between(_ typed: UnsafeMutableBufferPointer<UInt32>, _ word: [UInt32]) -> Int {
        var before: [Int] = []
        var last = Array(0...word.count)
        for i in 0..<typed.count {
            var row = [i + 1]
            for j in word.indices {
                var least = unsafe min(last[j] + (typed[i] == word[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if unsafe i > 0 && j > 0 && typed[i] == word[j - 1] && typed[i - 1] == word[j] {
                    least = min(least, before[j - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[word.count]
    }
}
