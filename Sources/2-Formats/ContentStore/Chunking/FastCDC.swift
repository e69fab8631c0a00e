/// Cuts bytes where their content says so: FastCDC of 2020 as the crate `fastcdc` 3 does it (its module `v2020`), level 1,
/// without a seed. The program of the paper's author cuts elsewhere.
///
/// The hash sees bytes in pairs, which makes it twice as fast as one byte at a time.
package struct FastCDC: Sendable {
    package let sizes: ChunkSizes

    package init(_ sizes: ChunkSizes) { self.sizes = sizes }

    /// How long the first chunk is: all bytes, where there are no more than the shortest length.
    ///
    /// - Parameter bytes: what is left of the file. Those behind the longest length have no influence.
    package func firstCut(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > sizes.minimum, let start = bytes.baseAddress else { return bytes.count }
        let end = min(bytes.count, sizes.maximum)
        let center = min(sizes.average, end)
        let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
        return unsafe GearTables.first.withUnsafeBufferPointer { first in
            unsafe GearTables.second.withUnsafeBufferPointer { second in
                let tables = unsafe (first, second)
                let (start, middle) = (sizes.minimum / 2, max(sizes.minimum, center) / 2)
                var hash: UInt64 = 0
                if let cut = unsafe Self.cut(bytes, start..<middle, tables, &hash, sizes.strictMask) {
                    return cut
                }
                return unsafe Self.cut(
                    bytes, middle..<max(middle, end / 2), tables, &hash, sizes.looseMask) ?? end
            }
        }
    }

    private typealias Table = UnsafeBufferPointer<UInt64>
    private typealias Tables = (first: Table, second: Table)

    /// - Parameter pairs: the places of pairs, in pairs. The last byte of an odd number is looked at by nobody.
    private static func cut(
        _ bytes: UnsafePointer<UInt8>, _ pairs: Range<Int>, _ tables: Tables, _ hash: inout UInt64,
        _ mask: UInt64
    ) -> Int? {
        var start = pairs.lowerBound
        while pairs.upperBound - start >= 2 * lane {
            if let cut = unsafe cutOfTwo(bytes, start, tables, &hash, mask) { return cut }
            start += 2 * lane
        }
        return unsafe cutOfOne(bytes, start..<pairs.upperBound, tables, &hash, mask)
    }

    @inline(__always)
    private static func cutOfOne(
        _ bytes: UnsafePointer<UInt8>, _ pairs: Range<Int>, _ tables: Tables, _ hash: inout UInt64,
        _ mask: UInt64
    ) -> Int? {
        let shiftedMask = mask << 1
        var (sum, pair) = (hash, pairs.lowerBound)
        while pair < pairs.upperBound {
            let place = pair &* 2
            sum = unsafe sum << 2 &+ tables.first[Int(bytes[place])]
            if sum & shiftedMask == 0 { return place }
            sum = unsafe sum &+ tables.second[Int(bytes[place &+ 1])]
            if sum & mask == 0 { return place &+ 1 }
            pair &+= 1
        }
        hash = sum
        return nil
    }

    // MARK: Two at a time

    /// How many pairs one of two neighbors has that are gone through at the same time: each step waits for the one before, and so
    /// a processor has time for another sequence of them.
    private static let lane = 2048
    /// A byte leaves the hash after as many as that has bits.
    private static let memory = UInt64.bitWidth / 2

    /// Where two lanes have their first cut.
    private static func cutOfTwo(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ tables: Tables, _ hash: inout UInt64, _ mask: UInt64
    ) -> Int? {
        let shiftedMask = mask << 1
        let middle = start + lane
        var (sum, other) = unsafe (hash, self.hash(bytes, (middle - memory)..<middle, tables))
        var pair = start
        while pair < middle {
            let (place, ahead) = (pair &* 2, (pair &+ lane) &* 2)
            sum = unsafe sum << 2 &+ tables.first[Int(bytes[place])]
            other = unsafe other << 2 &+ tables.first[Int(bytes[ahead])]
            if sum & shiftedMask == 0 { return place }
            if other & shiftedMask == 0 { break }
            sum = unsafe sum &+ tables.second[Int(bytes[place &+ 1])]
            other = unsafe other &+ tables.second[Int(bytes[ahead &+ 1])]
            if sum & mask == 0 { return place &+ 1 }
            if other & mask == 0 { break }
            pair &+= 1
        }
        guard pair < middle else {
            hash = other
            return nil
        }
        // The second one has a cut: it counts where there is none in the rest of the first one.
        var rest = unsafe self.hash(bytes, max(0, pair - memory)..<pair, tables)
        if pair - start < memory { rest = unsafe continued(hash, bytes, start..<pair, tables) }
        if let cut = unsafe cutOfOne(bytes, pair..<middle, tables, &rest, mask) { return cut }
        return unsafe cutOfOne(bytes, middle..<(middle + lane), tables, &rest, mask)
    }

    private static func hash(_ bytes: UnsafePointer<UInt8>, _ pairs: Range<Int>, _ tables: Tables) -> UInt64 {
        unsafe continued(0, bytes, pairs, tables)
    }

    private static func continued(
        _ hash: UInt64, _ bytes: UnsafePointer<UInt8>, _ pairs: Range<Int>, _ tables: Tables
    ) -> UInt64 {
        var sum = hash
        for pair in pairs {
            sum = unsafe sum << 2 &+ tables.first[Int(bytes[2 * pair])]
            sum = unsafe sum &+ tables.second[Int(bytes[2 * pair + 1])]
        }
        return sum
    }
}

extension FastCDC {
    /// The lengths of all chunks of some bytes; none of no bytes.
    package func cuts(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        var cuts: [Int] = []
        var place = 0
        while place < bytes.count {
            let cut = unsafe firstCut(UnsafeRawBufferPointer(rebasing: bytes[place...]))
            cuts.append(cut)
            place += cut
        }
        return cuts
    }
}
