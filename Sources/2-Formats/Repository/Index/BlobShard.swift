import ValiseStorage

/// A blob on its way into a shard: sixteen bytes of its identifier, and its position.
struct BlobEntry: Comparable {
    /// Bytes 0 to 7 of the identifier.
    let high: UInt64
    /// Bytes 8 to 15.
    let low: UInt64
    let position: UInt32

    static func < (left: BlobEntry, right: BlobEntry) -> Bool {
        if left.high != right.high { return left.high < right.high }
        if left.low != right.low { return left.low < right.low }
        return left.position < right.position
    }
}

/// The blobs whose identifiers have the same first byte, sorted: 18 bytes each.
///
/// The second byte of the identifier is said by a table of 256 places, so that 14 bytes and the position are left: two words
/// and a half one. Identifiers are digests and evenly spread, so that of ten million blobs each of those places has 152, which
/// a binary search goes through in seven steps.
struct BlobShard {
    /// Bytes 2 to 9.
    private var highs: [UInt64] = []
    /// Bytes 10 to 15, and the upper half of the position.
    private var lows: [UInt64] = []
    /// The lower half of the position.
    private var positions: [UInt16] = []
    /// For each second byte, the first of its blobs, and the end of them all behind the last one; empty in an empty shard.
    private var starts: [UInt32] = []

    var count: Int { highs.count }

    /// Memory that is taken.
    var byteCount: Int {
        highs.capacity * 8 + lows.capacity * 8 + positions.capacity * 2 + starts.capacity * 4
    }

    private func position(at place: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: lows[place] & 0xffff) << 16 | UInt32(positions[place])
    }

    private static func secondByte(_ entry: BlobEntry) -> Int { Int(entry.high >> 48 & 0xff) }

    // MARK: Looking up

    /// The places of all blobs with these sixteen bytes.
    func matches(_ high: UInt64, _ low: UInt64) -> Range<Int> {
        guard !starts.isEmpty else { return 0..<0 }
        let wantedHigh = high << 16 | low >> 48
        let wantedLow = low << 16
        let second = Int(high >> 48 & 0xff)
        let end = Int(starts[second + 1])
        var (lower, upper) = (Int(starts[second]), end)
        while lower < upper {
            let middle = (lower + upper) / 2
            let isBefore =
                highs[middle] != wantedHigh ? highs[middle] < wantedHigh : lows[middle] & ~0xffff < wantedLow
            if isBefore { lower = middle + 1 } else { upper = middle }
        }
        var past = lower
        while past < end, highs[past] == wantedHigh, lows[past] & ~0xffff == wantedLow { past += 1 }
        return lower..<past
    }

    /// The positions of some places.
    func positions(_ places: Range<Int>) -> some Sequence<UInt32> { places.lazy.map { position(at: $0) } }

    // MARK: Changing

    /// Adds blobs.
    ///
    /// Both parts are merged into new arrays of the exact size. They are those of a 256th of all blobs, so that the memory for
    /// both at once does not matter.
    ///
    /// - Parameter entries: of this shard, sorted.
    mutating func merge(_ entries: ArraySlice<BlobEntry>) {
        guard !entries.isEmpty else { return }
        var merged = BlobShard(reserving: count + entries.count)
        var next = entries.startIndex
        for second in 0..<256 {
            let rest = starts.isEmpty ? 0..<0 : Int(starts[second])..<Int(starts[second + 1])
            var old = rest.lowerBound
            while true {
                let new =
                    next < entries.endIndex && Self.secondByte(entries[next]) == second ? entries[next] : nil
                if old < rest.upperBound, new.map({ isBefore(old, $0) }) ?? true {
                    merged.append(highs[old], lows[old], positions[old])
                    old += 1
                } else if let new {
                    merged.append(new)
                    next += 1
                } else {
                    break
                }
            }
            merged.starts.append(UInt32(truncatingIfNeeded: merged.count))
        }
        self = merged
    }

    /// Keeps only some of the blobs.
    mutating func filter(_ isKept: (UInt32) -> Bool) {
        guard (0..<count).contains(where: { !isKept(position(at: $0)) }) else { return }
        var kept = BlobShard(reserving: count)
        for second in 0..<256 {
            for place in Int(starts[second])..<Int(starts[second + 1]) where isKept(position(at: place)) {
                kept.append(highs[place], lows[place], positions[place])
            }
            kept.starts.append(UInt32(truncatingIfNeeded: kept.count))
        }
        self = kept
    }

    init() {}

    private init(reserving count: Int) {
        highs.reserveCapacity(count)
        lows.reserveCapacity(count)
        positions.reserveCapacity(count)
        starts.reserveCapacity(257)
        starts.append(0)
    }

    private func isBefore(_ place: Int, _ entry: BlobEntry) -> Bool {
        let (high, low) = Self.words(entry)
        if highs[place] != high { return highs[place] < high }
        if lows[place] != low { return lows[place] < low }
        return positions[place] <= UInt16(truncatingIfNeeded: entry.position)
    }

    private mutating func append(_ entry: BlobEntry) {
        let (high, low) = Self.words(entry)
        append(high, low, UInt16(truncatingIfNeeded: entry.position))
    }

    private mutating func append(_ high: UInt64, _ low: UInt64, _ position: UInt16) {
        highs.append(high)
        lows.append(low)
        positions.append(position)
    }

    private static func words(_ entry: BlobEntry) -> (UInt64, UInt64) {
        (entry.high << 16 | entry.low >> 48, entry.low << 16 | UInt64(entry.position >> 16))
    }
}
