/// Which words are in which documents, until it is full.
///
/// Words follow each other in one array and are found by a table of our own: a dictionary of texts would take an
/// allocation for each, and most of the time of an export.
struct PostingBuffer {
    /// A word in ``letters``.
    private struct Word {
        let start: Int
        let end: Int
        let hash: UInt64
        var last: UInt32
        var count = 0
    }

    private let capacity: Int
    private var letters: [UInt8] = []
    private var words: [Word] = []
    private var slots: [Int32]
    /// In the order in which they were added, so ascending by document for each word.
    private var entries: [(word: Int32, document: UInt32)] = []
    /// What others cannot know, so that nobody can make words that all fall into one slot.
    private let seed = UInt64.random(in: .min ... .max)

    /// - Parameter capacity: how many pairs of a word and a document it has space for.
    init(capacity: Int) {
        self.capacity = capacity
        slots = Array(repeating: -1, count: 1 << 16)
        entries.reserveCapacity(capacity)
    }

    /// Whether it has to be written.
    var isFull: Bool { entries.count >= capacity || letters.count >= capacity * 8 }
    var isEmpty: Bool { entries.isEmpty }

    /// Adds a word of a document, once.
    mutating func add(_ word: borrowing [UInt8], _ document: UInt32) {
        let hash = hash(word)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if words[place].hash == hash, isEqual(words[place], word) {
                if words[place].last != document || words[place].count == 0 {
                    words[place].last = document
                    words[place].count += 1
                    entries.append((Int32(place), document))
                }
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(truncatingIfNeeded: words.count)
        entries.append((slots[slot], document))
        let start = letters.count
        for index in word.indices { letters.append(word[index]) }
        words.append(Word(start: start, end: letters.count, hash: hash, last: document, count: 1))
        if words.count * 2 > slots.count { grow() }
    }

    private func hash(_ word: borrowing [UInt8]) -> UInt64 {
        var hash = seed
        for index in word.indices { hash = (hash ^ UInt64(word[index])) &* 0x100_0000_01B3 }
        return hash ^ hash >> 29
    }

    private func isEqual(_ known: Word, _ word: borrowing [UInt8]) -> Bool {
        guard known.end - known.start == word.count else { return false }
        for index in word.indices where letters[known.start + index] != word[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (place, word) in words.enumerated() {
            var slot = Int(truncatingIfNeeded: word.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: place)
        }
    }

    /// Passes the words in their order, each with its documents, and empties it.
    mutating func drain(_ body: (_ word: ArraySlice<UInt8>, _ documents: ArraySlice<UInt32>) throws -> Void)
        throws
    {
        // Sorted by counting: where the documents of each word begin is known.
        var places = [Int](repeating: 0, count: words.count)
        var next = 0
        for place in words.indices {
            places[place] = next
            next += words[place].count
        }
        var documents = [UInt32](repeating: 0, count: entries.count)
        for entry in entries {
            documents[places[Int(entry.word)]] = entry.document
            places[Int(entry.word)] += 1
        }
        let order = words.indices.sorted {
            letters[words[$0].start..<words[$0].end].lexicographicallyPrecedes(
                letters[words[$1].start..<words[$1].end])
        }
        for place in order {
            let word = words[place]
            try body(letters[word.start..<word.end], documents[(places[place] - word.count)..<places[place]])
        }
        letters.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        slots = Array(repeating: -1, count: 1 << 16)
    }
}
