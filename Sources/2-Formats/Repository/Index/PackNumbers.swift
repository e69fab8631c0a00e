import ValiseStorage

/// The packs of an index in the order in which they came, and their numbers: a table of hashes with four bytes a place, where a
/// `Dictionary` takes forty.
struct PackNumbers {
    private(set) var ids: [ContentID] = []
    /// Numbers plus one; 0 for none. At most half of them are used.
    private var slots: [UInt32] = []
    private var removed: Set<Int> = []

    /// Memory that is taken.
    var byteCount: Int { ids.capacity * MemoryLayout<ContentID>.stride + slots.capacity * 4 }

    /// Nil for a pack that is not there.
    func number(of id: ContentID) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = slot(of: id)
        while slots[slot] != 0 {
            let number = Int(slots[slot] - 1)
            if ids[number] == id { return number }
            slot = (slot + 1) % slots.count
        }
        return nil
    }

    /// - Parameter id: of a pack that is not there.
    /// - Returns: its number.
    mutating func append(_ id: ContentID) -> Int {
        let number = ids.count
        ids.append(id)
        if ids.count * 2 > slots.count {
            rebuild()
        } else {
            insert(number)
        }
        return number
    }

    /// These packs are not found any more. Their numbers stay as they are, and none of them is given again.
    mutating func remove(_ numbers: Set<Int>) {
        removed.formUnion(numbers)
        rebuild()
    }

    private mutating func rebuild() {
        var size = 64
        while size < ids.count * 3 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for number in ids.indices where !removed.contains(number) { insert(number) }
    }

    private mutating func insert(_ number: Int) {
        var slot = slot(of: ids[number])
        while slots[slot] != 0 { slot = (slot + 1) % slots.count }
        slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }

    /// By the seeded hash of the whole identifier: whoever writes an index cannot choose names that fall on one place.
    private func slot(of id: ContentID) -> Int {
        var hasher = Hasher()
        let words = id.words
        for word in [words.0, words.1, words.2, words.3] { hasher.combine(word) }
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(slots.count))
    }
}
