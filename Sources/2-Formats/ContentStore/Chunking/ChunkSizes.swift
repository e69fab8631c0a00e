/// How long chunks are, in bytes, and the masks that make it so.
package struct ChunkSizes: Hashable, Sendable {
    /// No chunk but the last one of a file is shorter.
    package let minimum: Int
    /// What most chunks are near to: a power of two in the three profiles.
    package let average: Int
    /// No chunk is longer.
    package let maximum: Int
    /// Bits of the hash that are zero at a cut before the average length.
    let strictMask: UInt64
    /// Bits of the hash that are zero at a cut behind it.
    let looseMask: UInt64

    /// - Parameter level: how far the masks are apart; tcfs has 1.
    /// - Throws: ``ContentStoreError`` with `invalid` for lengths outside of 64 to 1 MiB, 256 to 4 MiB and 1 KiB to 16 MiB, or
    ///   that are not in this order.
    package init(minimum: Int, average: Int, maximum: Int, level: Int = 1) throws(ContentStoreError) {
        guard (64...1 << 20).contains(minimum), (256...4 << 20).contains(average),
            (1024...16 << 20).contains(maximum), minimum <= average, average <= maximum,
            (0...3).contains(level)
        else { throw ContentStoreError(.invalid, "chunk sizes out of range") }
        self.init(valid: minimum, average, maximum, level: level)
    }

    private init(valid minimum: Int, _ average: Int, _ maximum: Int, level: Int = 1) {
        (self.minimum, self.average, self.maximum) = (minimum, average, maximum)
        let bits = Self.bits(of: average)
        strictMask = Self.masks[bits + level]
        looseMask = Self.masks[bits - level]
    }

    /// The logarithm, rounded to the nearest: up from the square of the average on that is at least 2 to an odd power.
    private static func bits(of average: Int) -> Int {
        let lower = average.bitWidth - 1 - average.leadingZeroBitCount
        return average * average >= 1 << (2 * lower + 1) ? lower + 1 : lower
    }

    /// By the number of bits that are set in them, from 5 on.
    private static let masks: [UInt64] = [
        0, 0, 0, 0, 0, 0x0180_4110, 0x0180_3110, 0x1803_5100, 0x0018_0003_5300, 0x0190_0035_3000,
        0x5900_0353_0000, 0xd900_0353_0000, 0xd901_0353_0000, 0xd903_0353_0000, 0xd903_1353_0000,
        0xd90f_0353_0000, 0xd903_0353_7000, 0xd907_0353_7000, 0xd907_0753_7000, 0xd917_0753_7000,
        0xd917_4753_7000, 0xd917_6753_7000, 0xd937_6753_7000, 0xd937_7753_7000, 0xd937_7757_7000,
        0xdb37_7757_7000,
    ]
}

extension ChunkSizes {
    /// 2 KiB, 4 KiB, 16 KiB: for everything that has no other profile. About 5.3 KiB for random bytes.
    package static let small = ChunkSizes(valid: 2 << 10, 4 << 10, 16 << 10)
    /// 32 KiB, 64 KiB, 256 KiB.
    package static let pack = ChunkSizes(valid: 32 << 10, 64 << 10, 256 << 10)
    /// 1 MiB, 4 MiB, 16 MiB: tcfs has it since 0.12.13.
    package static let large = ChunkSizes(valid: 1 << 20, 4 << 20, 16 << 20)
}
