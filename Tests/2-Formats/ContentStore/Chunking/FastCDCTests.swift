import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding

@testable import ValiseContentStore

struct FastCDCTests {
    @Test func `files are cut where the crate cuts them, and their chunks have its digests`() throws {
        let cases = try StoreFixture.list("fastcdc", "cases")
        #expect(cases.count == 24)
        for item in cases {
            let name = try item.required("name")
            let bytes = try StoreBytes.make(try #require(item["input"] as? [String: Any]))
            #expect(try ContentDigest(of: bytes).text == item.required("input_blake3"), "\(name)")
            let sizes = try ChunkSizes(
                minimum: item.number("min"), average: item.number("avg"), maximum: item.number("max"))
            let cuts = bytes.withUnsafeBytes { FastCDC(sizes).cuts($0) }
            let chunks = item["chunks"] as? [[String: Any]]
            let known = try chunks?.map { try $0.number("length") } ?? []
            let lengths = item["lengths"] as? [Int] ?? known
            #expect(cuts == lengths, "\(name)")
            var (place, digests) = (0, [UInt8]())
            for (number, length) in cuts.enumerated() {
                let digest = try ContentDigest(of: Array(bytes[place..<(place + length)]))
                if let chunks {
                    #expect(try digest.text == chunks[number].required("blake3"), "\(name): \(number)")
                }
                digests += digest.bytes
                place += length
            }
            let all = try ContentDigest(of: digests).text
            #expect(try all == item.required("blake3_of_concatenated_chunk_digests"), "\(name)")
        }
    }

    @Test func `a byte more at the beginning changes one chunk of twenty`() throws {
        let bytes = StoreBytes.xorshift(seed: 0x9e37_79b9_7f4a_7c15, count: 100_000)
        let chunks = try chunks(bytes)
        let later = try self.chunks(Array(bytes[..<10]) + [0] + bytes[10...])
        let shared = try StoreFixture.json("fastcdc")["dedup_check"] as? [String: Any]
        let count = Set(chunks).intersection(later).count
        #expect(try count == shared?.number("shared_chunks_between_100000_and_inserted_variant"))
    }

    private func chunks(_ bytes: [UInt8]) throws -> [ContentDigest] {
        var place = 0
        return try bytes.withUnsafeBytes { FastCDC(.small).cuts($0) }.map { length in
            defer { place += length }
            return try ContentDigest(of: Array(bytes[place..<(place + length)]))
        }
    }

    @Test func `nothing has no chunks, and what is short has one`() {
        #expect([UInt8]().withUnsafeBytes { FastCDC(.small).cuts($0) } == [])
        for count in [1, 63, 64, 2048] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(bytes.withUnsafeBytes { FastCDC(.small).firstCut($0) } == count)
        }
    }

    @Test(arguments: [1, 2, .random(in: 3 ... .max)])
    func `chunks are contiguous, cover all bytes, and have the lengths of their profile`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let bytes = RandomFile.bytes(.random(in: 0...300_000, using: &random), &random)
            let minimum = Int.random(in: 64...2000, using: &random)
            let average = Int.random(in: max(256, minimum)...8000, using: &random)
            let sizes = try ChunkSizes(
                minimum: minimum, average: average,
                maximum: .random(in: max(1024, average)...20_000, using: &random),
                level: .random(in: 0...3, using: &random))
            let cuts = bytes.withUnsafeBytes { FastCDC(sizes).cuts($0) }
            #expect(cuts.reduce(0, +) == bytes.count, "\(seed)")
            // The hash begins at a whole pair, and a byte that fires belongs to the next chunk.
            let isRight = cuts.dropLast().allSatisfy { (sizes.minimum & ~1...sizes.maximum).contains($0) }
            #expect(isRight && (cuts.last ?? 1) > 0 && (cuts.last ?? 0) <= sizes.maximum, "\(seed)")
            let slow = SlowFastCDC(sizes).cuts(bytes)
            #expect(cuts == slow, "\(seed): \(sizes)")
        }
    }

    /// What goes through two places at a time cuts where one step after the other does.
    @Test(arguments: [3, .random(in: 4 ... .max)])
    func `a cut is the first one, wherever the lanes of the search begin`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Chunks around the length of lanes, and many that are much longer.
        let rules = [
            (64, 256, 1 << 14), (1 << 12, 1 << 13, 1 << 15), (1 << 13, 1 << 14, 1 << 20),
            (1 << 16, 1 << 17, 1 << 20),
        ]
        for (minimum, average, maximum) in rules {
            let sizes = try ChunkSizes(minimum: minimum, average: average, maximum: maximum)
            for _ in 0..<5 {
                let bytes = RandomFile.bytes(.random(in: 0...(3 * maximum / 2), using: &random), &random)
                let cuts = bytes.withUnsafeBytes { FastCDC(sizes).cuts($0) }
                #expect(cuts == SlowFastCDC(sizes).cuts(bytes), "seed \(seed), \(sizes)")
            }
        }
    }

    @Test(.enabled(if: StoreFixture.peers != nil)) func `a peer cuts files at the same places`() throws {
        let peer = try #require(StoreFixture.peers)
        let folder = try TemporaryFolder("valise-cuts", inMemory: true)
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let script = """
            import pyfastcdc, sys
            data = open(sys.argv[1], 'rb').read()
            sizes = [int(size) for size in sys.argv[2:]]
            cutter = pyfastcdc.FastCDC(min_size=sizes[0], avg_size=sizes[1], max_size=sizes[2])
            print(*[chunk.length for chunk in cutter.cut_buf(data)])
            """
        for sizes in [ChunkSizes.small, .small, .pack] {
            let bytes = RandomFile.bytes(.random(in: 1...2_000_000, using: &random), &random)
            let file = folder.appending("file")
            try Data(bytes).write(to: URL(filePath: file.string))
            let outcome = try peer.outcome(
                of: ["-c", script, file.string]
                    + [sizes.minimum, sizes.average, sizes.maximum].map(String.init))
            #expect(outcome.status == 0, "\(outcome.errors.text)")
            let lengths = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            #expect(bytes.withUnsafeBytes { FastCDC(sizes).cuts($0) } == lengths, "\(seed)")
        }
    }
}

/// The algorithm as the fact sheet says it, word for word, without the tables and the loops of the real one.
private struct SlowFastCDC {
    let sizes: ChunkSizes

    init(_ sizes: ChunkSizes) { self.sizes = sizes }

    func cuts(_ bytes: [UInt8]) -> [Int] {
        var (cuts, rest) = ([Int](), bytes[...])
        while !rest.isEmpty {
            let cut = cut(Array(rest.prefix(sizes.maximum + 1)))
            cuts.append(cut)
            rest = rest.dropFirst(cut)
        }
        return cuts
    }

    private func cut(_ s: [UInt8]) -> Int {
        var n = s.count
        guard n > sizes.minimum else { return n }
        var center = sizes.average
        if n > sizes.maximum { n = sizes.maximum } else if n < center { center = n }
        var hash: UInt64 = 0
        for pair in (sizes.minimum / 2)..<max(sizes.minimum / 2, n / 2) {
            let mask = pair < center / 2 ? sizes.strictMask : sizes.looseMask
            hash = hash << 2 &+ GearTables.constants[Int(s[2 * pair])] << 1
            if hash & mask << 1 == 0 { return 2 * pair }
            hash = hash &+ GearTables.constants[Int(s[2 * pair + 1])]
            if hash & mask == 0 { return 2 * pair + 1 }
        }
        return n
    }
}

/// Files that are partly random, partly one byte again and again.
enum RandomFile {
    static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let length = min(count - bytes.count, .random(in: 1...40_000, using: &random))
            if Bool.random(using: &random) {
                bytes += StoreBytes.xorshift(seed: random.next() | 1, count: length)
            } else {
                bytes += [UInt8](repeating: .random(in: 0...255, using: &random), count: length)
            }
        }
        return bytes
    }
}
