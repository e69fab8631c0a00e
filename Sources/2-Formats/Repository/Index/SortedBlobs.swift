/// A blob on its way into the sorted ones: sixteen bytes of its identifier, and its position.
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

    /// Its first two bytes.
    fileprivate var prefix: Int { Int(high >> 48) }
}

/// The blobs of a table by their identifiers: 18 bytes each.
///
/// The first two bytes of an identifier are said by a table of 65,536 places, so that 14 bytes and the position are left.
/// Identifiers are digests and evenly spread, so that of ten million blobs each of those places has 152, which a binary search
/// goes through in seven steps.
///
/// Blobs are in pieces of one size, of which all but the last one are full. While others are merged in, each previous piece is
/// freed as soon as it is read, and its memory fits the next new one. With an array for each first byte, the gaps that growing
/// arrays left were 20 MB of ten million blobs.
struct SortedBlobs {
    /// Nine parts for each blob, the lowest first: bytes 2 to 9 of the identifier as one number, then bytes 10 to 15 with the
    /// upper half of the position behind them, then its lower half.
    private var pieces: [[UInt16]] = []
    private(set) var count = 0
    /// For each prefix, the place of the first of its blobs, and the end of all behind the last one; empty without blobs.
    private var starts: [UInt32] = []

    private static let partCount = 9
    private static let prefixes = 65_536
    private static let pieceSize = 4096

    /// Memory that is taken.
    var byteCount: Int { pieces.reduce(0) { $0 + $1.capacity * 2 + 32 } + starts.capacity * 4 }

    // MARK: Looking up

    /// The position of the blob in a place.
    func position(at place: Int) -> UInt32 {
        let part = pieces[place / Self.pieceSize][place % Self.pieceSize * Self.partCount + 8]
        return UInt32(truncatingIfNeeded: word(at: place, part: 4) & 0xffff) << 16 | UInt32(part)
    }

    /// The places of all blobs with these sixteen bytes.
    func matches(_ high: UInt64, _ low: UInt64) -> Range<Int> {
        let prefix = Int(high >> 48)
        guard !starts.isEmpty else { return 0..<0 }
        let wanted = (high: high << 16 | low >> 48, low: low << 16)
        let range = places(of: prefix)
        let first = place(of: wanted.high, wanted.low, in: range)
        var past = first
        while past < range.upperBound, word(at: past, part: 0) == wanted.high,
            word(at: past, part: 4) & ~0xffff == wanted.low
        { past += 1 }
        return first..<past
    }

    private func places(of prefix: Int) -> Range<Int> { Int(starts[prefix])..<Int(starts[prefix + 1]) }

    /// The first place of a range that is not before these words.
    private func place(of high: UInt64, _ low: UInt64, in range: Range<Int>) -> Int {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper {
            let middle = (lower + upper) / 2
            let found = word(at: middle, part: 0)
            if found < high || found == high && word(at: middle, part: 4) < low {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return lower
    }

    private func word(at place: Int, part: Int) -> UInt64 {
        Self.word(pieces[place / Self.pieceSize], place % Self.pieceSize * Self.partCount + part)
    }

    private static func word(_ piece: [UInt16], _ part: Int) -> UInt64 {
        // Four of them are a number, whatever they are.
        let word = unsafe piece.span.bytes.unsafeLoadUnaligned(fromByteOffset: part * 2, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

}

// MARK: Changing

extension SortedBlobs {
    /// Adds blobs.
    /// - Parameter entries: sorted. Twins come behind those that are there.
    mutating func merge(_ entries: [BlobEntry]) {
        guard !entries.isEmpty else { return }
        var next = 0
        rebuild { previous, prefix, old, merged in
            var start = old.lowerBound
            while next < entries.count, entries[next].prefix == prefix {
                let entry = entries[next]
                let high = entry.high << 16 | entry.low >> 48
                let low = entry.low << 16 | UInt64(entry.position >> 16)
                let place = previous.place(of: high, low | 0xffff, in: start..<old.upperBound)
                merged.move(start..<place, from: &previous)
                merged.append(high, low, UInt16(truncatingIfNeeded: entry.position))
                start = place
                next += 1
            }
            merged.move(start..<old.upperBound, from: &previous)
        }
    }

    /// Keeps only some of the blobs.
    mutating func filter(_ isKept: (UInt32) -> Bool) {
        rebuild { previous, _, old, kept in
            var start = old.lowerBound
            for place in old where !isKept(previous.position(at: place)) {
                kept.move(start..<place, from: &previous)
                start = place + 1
            }
            kept.move(start..<old.upperBound, from: &previous)
        }
    }

    /// Writes all again, in new pieces.
    /// - Parameter body: writes what there is of a prefix.
    private mutating func rebuild(
        _ body: (
            _ previous: inout SortedBlobs, _ prefix: Int, _ places: Range<Int>, _ rebuilt: inout SortedBlobs
        ) -> Void
    ) {
        if starts.isEmpty { starts = Array(repeating: 0, count: Self.prefixes + 1) }
        var rebuilt = SortedBlobs()
        rebuilt.starts.reserveCapacity(Self.prefixes + 1)
        rebuilt.starts.append(0)
        for prefix in 0..<Self.prefixes {
            body(&self, prefix, places(of: prefix), &rebuilt)
            rebuilt.starts.append(UInt32(truncatingIfNeeded: rebuilt.count))
        }
        self = rebuilt
    }

    /// Appends some of the blobs of another list, and frees its pieces up to there.
    private mutating func move(_ places: Range<Int>, from other: inout SortedBlobs) {
        var start = places.lowerBound
        while start < places.upperBound {
            beginPiece()
            let (number, offset) = start.quotientAndRemainder(dividingBy: Self.pieceSize)
            let free = Self.pieceSize - count % Self.pieceSize
            let moved = min(places.upperBound - start, Self.pieceSize - offset, free)
            let parts = offset * Self.partCount..<(offset + moved) * Self.partCount
            pieces[pieces.count - 1].append(contentsOf: other.pieces[number][parts])
            if offset + moved == Self.pieceSize { other.pieces[number] = [] }
            start += moved
            count += moved
        }
    }

    private mutating func append(_ high: UInt64, _ low: UInt64, _ position: UInt16) {
        beginPiece()
        pieces[pieces.count - 1].append(high, low, position)
        count += 1
    }

    private mutating func beginPiece() {
        guard count % Self.pieceSize == 0 else { return }
        pieces.append([])
        pieces[pieces.count - 1].reserveCapacity(Self.pieceSize * Self.partCount)
    }
}

extension [UInt16] {
    /// One blob.
    fileprivate mutating func append(_ high: UInt64, _ low: UInt64, _ position: UInt16) {
        for word in [high, low] {
            for shift in [0, 16, 32, 48] as [UInt64] { append(UInt16(truncatingIfNeeded: word >> shift)) }
        }
        append(position)
    }
}
