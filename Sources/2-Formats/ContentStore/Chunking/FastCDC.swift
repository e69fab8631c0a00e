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
        var hash: UInt64 = 0
        let first = sizes.minimum / 2
        if let cut = unsafe Self.cut(bytes, first..<max(first, center / 2), &hash, sizes.strictMask) {
            return cut
        }
        let second = max(first, center / 2)
        return unsafe Self.cut(bytes, second..<max(second, end / 2), &hash, sizes.looseMask) ?? end
    }

    /// - Parameter pairs: the places of pairs, in pairs. The last byte of an odd number is looked at by nobody.
    @inline(__always)
    private static func cut(
        _ bytes: UnsafePointer<UInt8>, _ pairs: Range<Int>, _ hash: inout UInt64, _ mask: UInt64
    ) -> Int? {
        let tables = GearTables.standard
        let (plain, shifted) = unsafe (tables.plain, tables.shifted)
        let shiftedMask = mask << 1
        var (sum, pair) = (hash, pairs.lowerBound)
        while pair < pairs.upperBound {
            let place = pair &* 2
            sum = unsafe sum << 2 &+ shifted[Int(bytes[place])]
            if sum & shiftedMask == 0 { return place }
            sum = unsafe sum &+ plain[Int(bytes[place &+ 1])]
            if sum & mask == 0 { return place &+ 1 }
            pair &+= 1
        }
        hash = sum
        return nil
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
