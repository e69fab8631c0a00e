/// Cuts a file where its content says so, at the same places as restic with the same polynomial. Only backups of the same
/// media by restic itself into the same repository profit from that: readers take any pieces.
///
/// It is fed with a file piece by piece, and says where chunks end. A new file begins behind ``finish()``.
package struct RabinChunker: Sendable {
    /// No chunk but the last one of a file is shorter.
    package static let shortest = 512 << 10
    /// No chunk is longer.
    package static let longest = 8 << 20
    /// Bits of the digest that are zero at a cut: behind the shortest length, 1 MiB on average.
    private static let mask: UInt64 = 1 << 20 - 1
    /// A byte that comes before each chunk, so that zeros have a digest.
    private static let first: UInt8 = 1

    private let tables: RabinTables
    private var digest: UInt64 = 0
    /// The last bytes that were hashed, the oldest first.
    private var window: [UInt8] = []
    /// Of the present chunk.
    package private(set) var length = 0

    /// - Returns: nil for what is no polynomial of a suitable degree. Whether it is irreducible is not asked here.
    package init?(polynomial: UInt64) {
        guard let tables = RabinTables(polynomial: polynomial) else { return nil }
        self.tables = tables
        finish()
    }

    /// Ends the chunk, as at the end of a file.
    package mutating func finish() {
        window = Array(repeating: 0, count: RabinTables.window - 1) + [Self.first]
        digest = UInt64(Self.first)
        length = 0
    }

    /// Reads on.
    ///
    /// - Parameter bytes: what follows what was read before.
    /// - Returns: how many of them belong to the chunk, which ends there; the next call begins with those behind. Nil where all
    ///   of them do, and the chunk goes on.
    package mutating func cut(_ bytes: Span<UInt8>) -> Int? {
        var place = 0
        // Before the shortest length there is no cut, and the window forgets what was before it.
        let unhashed = Self.shortest - RabinTables.window
        if length < unhashed {
            place = min(bytes.count, unhashed - length)
            length += place
        }
        let start = place
        let end = min(bytes.count, start + Self.longest - length)
        // The window reaches back into what was read before.
        let early = min(end, start + RabinTables.window)
        while place < early {
            if isCut(behind: bytes[place], leaving: window[place - start]) { return ended(place + 1) }
            place += 1
        }
        if let place = cut(bytes, place..<end) { return ended(place) }
        if length == Self.longest { return ended(end) }
        let recent = (start..<end).suffix(RabinTables.window)
        window.removeFirst(recent.count)
        for place in recent { window.append(bytes[place]) }
        return nil
    }

    private mutating func ended(_ place: Int) -> Int {
        finish()
        return place
    }

    private mutating func isCut(behind byte: UInt8, leaving old: UInt8) -> Bool {
        digest = tables.next(digest, byte, old)
        length += 1
        return length >= Self.shortest && digest & Self.mask == 0
    }

    /// Where 64 bytes before each are in the same piece: all but a few of them.
    private mutating func cut(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var digest = digest
        let tables = tables
        // The first places cannot be cuts yet.
        let firstCut = range.lowerBound + max(0, Self.shortest - length - 1)
        for place in range {
            digest = tables.next(digest, bytes[place], bytes[place - RabinTables.window])
            if digest & Self.mask == 0, place >= firstCut { return place + 1 }
        }
        self.digest = digest
        length += range.count
        return nil
    }
}

extension RabinTables {
    /// The digest one byte later.
    @inline(__always)
    fileprivate func next(_ digest: UInt64, _ byte: UInt8, _ old: UInt8) -> UInt64 {
        let digest = digest ^ leaving[Int(old)]
        // It is below the polynomial, so that no more than eight bits are left.
        let top = Int(truncatingIfNeeded: digest >> shift & 0xff)
        return (digest << 8 | UInt64(byte)) ^ reductions[top]
    }
}
