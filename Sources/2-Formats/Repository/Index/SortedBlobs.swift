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

/// The blobs of a table by their identifiers: 17 bytes each, 18 where there are more than 16 million.
///
/// The first two bytes of an identifier are said by a table of 65,536 places, so that 14 bytes and the position are left.
/// Identifiers are digests and evenly spread, so that of ten million blobs each of those places has 152, which a binary search
/// goes through in seven steps.
///
/// Blobs are in pieces of one size, of which all but the last one are full. While others are merged in, each previous piece is
/// freed as soon as it is read, and its memory fits the next new one. With an array for each first byte, the gaps that growing
/// arrays left were 20 MB of ten million blobs.
struct SortedBlobs {
    /// For each blob bytes 2 to 9 of the identifier as one number, bytes 10 to 15 as another one, and the position, the lowest
    /// byte of each first.
    private var pieces: [[UInt8]] = []
    private(set) var count = 0
    /// Bytes of a blob.
    private var stride = narrowStride
    /// For each prefix, the place of the first of its blobs, and the end of all behind the last one; empty without blobs.
    private var starts: [UInt32] = []

    private static let identifierSize = 14
    /// For positions of three bytes.
    private static let narrowStride = identifierSize + 3
    private static let wideStride = identifierSize + 4
    private static let prefixes = 65_536
    private static let pieceSize = 4096

    /// Memory that is taken.
    var byteCount: Int { pieces.reduce(0) { $0 + $1.capacity + 32 } + starts.capacity * 4 }

    // MARK: Looking up

    /// The position of the blob in a place.
    func position(at place: Int) -> UInt32 {
        // The last bytes of the last number.
        let size = stride - Self.identifierSize
        return UInt32(truncatingIfNeeded: number(at: place, stride - 8) >> UInt64(64 - 8 * size))
    }

    /// The places of all blobs with these sixteen bytes.
    func matches(_ high: UInt64, _ low: UInt64) -> Range<Int> {
        let prefix = Int(high >> 48)
        guard !starts.isEmpty else { return 0..<0 }
        let wanted = SortedIdentifier(high, low)
        let range = places(of: prefix)
        let first = place(in: range) { $0 < wanted }
        var past = first
        while past < range.upperBound, identifier(at: past) == wanted { past += 1 }
        return first..<past
    }

    private func places(of prefix: Int) -> Range<Int> { Int(starts[prefix])..<Int(starts[prefix + 1]) }

    /// The first place of a range behind those that are before something.
    private func place(in range: Range<Int>, _ isBefore: (SortedIdentifier) -> Bool) -> Int {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper {
            let middle = (lower + upper) / 2
            if isBefore(identifier(at: middle)) { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    private func identifier(at place: Int) -> SortedIdentifier {
        // Two of the last eight bytes are of the position.
        SortedIdentifier(high: number(at: place, 0), rest: number(at: place, 8) & 0xffff_ffff_ffff)
    }

    /// Eight bytes of a blob, the lowest first.
    private func number(at place: Int, _ offset: Int) -> UInt64 {
        Self.number(pieces[place / Self.pieceSize], place % Self.pieceSize * stride + offset)
    }

    private static func number(_ piece: [UInt8], _ start: Int) -> UInt64 {
        // Eight of them are a number, whatever they are.
        let number = unsafe piece.span.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        return UInt64(littleEndian: number)
    }
}

/// What the table of prefixes does not say of sixteen bytes of an identifier.
private struct SortedIdentifier: Comparable {
    /// Bytes 2 to 9.
    let high: UInt64
    /// Bytes 10 to 15.
    let rest: UInt64

    init(high: UInt64, rest: UInt64) {
        self.high = high
        self.rest = rest
    }

    /// - Parameters:
    ///   - high: bytes 0 to 7.
    ///   - low: bytes 8 to 15.
    init(_ high: UInt64, _ low: UInt64) {
        self.init(high: high << 16 | low >> 48, rest: low & 0xffff_ffff_ffff)
    }

    static func < (left: SortedIdentifier, right: SortedIdentifier) -> Bool {
        left.high != right.high ? left.high < right.high : left.rest < right.rest
    }
}

// MARK: Changing

extension SortedBlobs {
    /// Adds blobs.
    /// - Parameter entries: sorted. Twins come behind those that are there.
    mutating func merge(_ entries: [BlobEntry]) {
        guard let highest = entries.lazy.map(\.position).max() else { return }
        var next = 0
        rebuild(stride: highest >> 24 == 0 ? stride : Self.wideStride) { previous, prefix, old, merged in
            var start = old.lowerBound
            while next < entries.count, entries[next].prefix == prefix {
                let entry = entries[next]
                let identifier = SortedIdentifier(entry.high, entry.low)
                let place = previous.place(in: start..<old.upperBound) { $0 <= identifier }
                merged.move(start..<place, from: &previous)
                merged.append(identifier, entry.position)
                start = place
                next += 1
            }
            merged.move(start..<old.upperBound, from: &previous)
        }
    }

    /// Keeps only some of the blobs.
    mutating func filter(_ isKept: (UInt32) -> Bool) {
        rebuild(stride: stride) { previous, _, old, kept in
            var start = old.lowerBound
            for place in old where !isKept(previous.position(at: place)) {
                kept.move(start..<place, from: &previous)
                start = place + 1
            }
            kept.move(start..<old.upperBound, from: &previous)
        }
    }

    /// Writes all again, in new pieces.
    /// - Parameters:
    ///   - stride: not less than it was.
    ///   - body: writes what there is of a prefix.
    private mutating func rebuild(
        stride: Int,
        _ body: (
            _ previous: inout SortedBlobs, _ prefix: Int, _ places: Range<Int>, _ rebuilt: inout SortedBlobs
        ) -> Void
    ) {
        if starts.isEmpty { starts = Array(repeating: 0, count: Self.prefixes + 1) }
        var rebuilt = SortedBlobs()
        rebuilt.stride = stride
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
            if stride == other.stride {
                let bytes = offset * stride..<(offset + moved) * stride
                pieces[pieces.count - 1].append(contentsOf: other.pieces[number][bytes])
                count += moved
            } else {
                for place in start..<start + moved {
                    append(other.identifier(at: place), other.position(at: place))
                }
            }
            if offset + moved == Self.pieceSize { other.pieces[number] = [] }
            start += moved
        }
    }

    private mutating func append(_ identifier: SortedIdentifier, _ position: UInt32) {
        beginPiece()
        pieces[pieces.count - 1].append(lowest: 8, of: identifier.high)
        pieces[pieces.count - 1].append(lowest: 6, of: identifier.rest)
        pieces[pieces.count - 1].append(lowest: stride - Self.identifierSize, of: UInt64(position))
        count += 1
    }

    private mutating func beginPiece() {
        guard count % Self.pieceSize == 0, count / Self.pieceSize == pieces.count else { return }
        pieces.append([])
        pieces[pieces.count - 1].reserveCapacity(Self.pieceSize * stride)
    }
}

extension [UInt8] {
    fileprivate mutating func append(lowest count: Int, of number: UInt64) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }
}
