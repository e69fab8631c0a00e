import Testing
import ValiseFailures

@testable import ValiseContentStore

struct ChunkSizeTests {
    @Test func `the table is the first bytes of MD5, as the crate has it`() throws {
        let known = try #require(try StoreFixture.json("gear")["gear_hex"] as? [String])
        #expect(GearTables.constants == known.compactMap { UInt64($0, radix: 16) })
        #expect(GearTables.constants.count == 256)
        for byte in 0..<256 {
            #expect(GearTables.standard.plain[byte] == GearTables.constants[byte])
            #expect(GearTables.standard.shifted[byte] == GearTables.constants[byte] << 1)
        }
    }

    @Test(arguments: [
        ("SMALL", ChunkSizes.small), ("PACK", ChunkSizes.pack), ("LARGE_SEQUENTIAL", ChunkSizes.large),
    ])
    func `a profile has the lengths and masks of the crate`(name: String, sizes: ChunkSizes) throws {
        let known = try #require(
            try StoreFixture.value("gear", ["profile_masks", name]) as? [String: Any])
        #expect(sizes.minimum == (try known.number("min")))
        #expect(sizes.average == (try known.number("avg")))
        #expect(sizes.maximum == (try known.number("max")))
        #expect(sizes.strictMask == UInt64(try known.required("mask_s"), radix: 16))
        #expect(sizes.looseMask == UInt64(try known.required("mask_l"), radix: 16))
        #expect(
            try ChunkSizes(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum) == sizes)
    }

    @Test func `the logarithm of the average is rounded`() throws {
        let masks = try #require(try StoreFixture.json("gear")["masks_hex"] as? [String])
        // 2 to 12.4999, and 2 to 12.5001.
        for (average, bits) in [
            (5792, 12), (5793, 13), (4096, 12), (256, 8), (4_194_304, 22), (4_000_000, 22),
        ] {
            let sizes = try ChunkSizes(minimum: 64, average: average, maximum: 16 << 20)
            #expect(sizes.strictMask == UInt64(masks[bits + 1], radix: 16), "\(average)")
            #expect(sizes.looseMask == UInt64(masks[bits - 1], radix: 16), "\(average)")
        }
        let wide = try ChunkSizes(minimum: 64, average: 4_194_304, maximum: 16 << 20, level: 3)
        #expect(wide.strictMask == UInt64(masks[25], radix: 16))
        #expect(wide.looseMask == UInt64(masks[19], radix: 16))
    }

    @Test(arguments: [
        (63, 4096, 16384, 1), (4097, 4096, 16384, 1), (64, 255, 1024, 1), (64, 4096, 4095, 1),
        (1 << 21, 1 << 21, 1 << 22, 1), (64, 1 << 23, 1 << 24, 1), (64, 4096, 1 << 25, 1),
        (64, 4096, 8192, 4),
        (-1, 4096, 8192, 1),
    ])
    func `lengths that the crate refuses are refused`(minimum: Int, average: Int, maximum: Int, level: Int) {
        let error = #expect(throws: ContentStoreError.self) {
            try ChunkSizes(minimum: minimum, average: average, maximum: maximum, level: level)
        }
        #expect(error?.code == .invalid)
    }

    @Test(arguments: [
        ("a/chat.db", ChunkSizes.small, ChunkSizes.small), ("x.pack", .pack, .large), ("x.bin", .pack, .pack),
        ("x.iso", .pack, .large), ("a.b/x.img", .pack, .large), ("x.rev", .small, .large),
        ("x.idx", .small, .pack), ("X.PACK", .small, .small), ("pack", .small, .small),
        (".pack", .small, .small),
        ("x.pack/y", .small, .small), ("x.", .small, .small), ("a..bin", .pack, .pack),
        ("r/.git/index", .small, .pack), (".git/index", .small, .pack), ("git/index", .small, .small),
        ("r/.git/index/x", .small, .small), ("r/.git/objects/pack/tmp_pack_1", .small, .large),
        ("r/.git/objects/tmp_pack_1", .small, .small), ("r/.git/objects/pack/p.idx", .small, .large),
        ("r/.git/objects/pack/sub/p.idx", .small, .large), ("r/.git/x/objects/pack/p.idx", .small, .pack),
        ("r/.git/objects/pack/p.pack", .pack, .large), ("", .small, .small), ("/", .small, .small),
    ])
    func `the profile follows from the path`(path: String, early: ChunkSizes, late: ChunkSizes) {
        #expect(ChunkRules.early.sizes(for: path) == early)
        #expect(ChunkRules.late.sizes(for: path) == late)
    }
}
