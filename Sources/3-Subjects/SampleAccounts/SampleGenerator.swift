/// SplitMix64: the same numbers from the same seed on every system and in every version of Swift.
struct SampleGenerator {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: of the whole account.
    ///   - purpose: keeps apart what is drawn for rows, keys and media, so that one does not shift the other.
    init(seed: UInt64, purpose: String) {
        // FNV-1a of the purpose.
        let mixed = purpose.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        state = seed ^ mixed
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// One of them; `none` of nothing.
    mutating func pick<Element>(_ all: [Element], or none: Element) -> Element {
        all.isEmpty ? none : all[below(all.count)]
    }

    /// Bytes that look like a key or an identifier.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        fill(&bytes)
        return bytes
    }

    /// Overwrites all of `bytes` with noise that does not compress.
    mutating func fill(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { memory in
            var offset = 0
            while offset + 8 <= memory.count {
                memory.storeBytes(of: next().littleEndian, toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            var rest = next()
            while offset < memory.count {
                memory[offset] = UInt8(truncatingIfNeeded: rest)
                rest >>= 8
                offset += 1
            }
        }
    }
}
