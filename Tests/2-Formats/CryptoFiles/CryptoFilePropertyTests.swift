import FaultInjection
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFiles

/// What holds for all sizes, splits and numbers of threads. `VALISE_SEED` repeats an earlier run.
struct CryptoFilePropertyTests {
    private static let borders = [64, 4096, 256 << 10, OrderedChunks.chunkSize, 2 * OrderedChunks.chunkSize]

    /// Near a border of blocks, buffers or chunks, or anything small.
    private static func size(_ random: inout SeededGenerator) -> Int {
        let near = Int.random(in: -34...34, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...5: return max(0, 64 * Int.random(in: 0...40, using: &random) + near)
        case 6: return Int.random(in: 0...300, using: &random)
        default: return max(0, borders.randomElement(using: &random)! + near)
        }
    }

    @Test func `a thousand sizes: as libsodium does it, whatever the threads and pieces`() throws {
        let seed = CryptoFixture.seed("sizes")
        let fixture = try CryptoFixture(seed: seed)
        var random = SeededGenerator(seed: seed)
        let content = CryptoFixture.bytes(2 * OrderedChunks.chunkSize + 100, &random)
        for _ in FaultSweep.few(of: 0..<1000) {
            let plain = Array(content.prefix(Self.size(&random)))
            let expected = try fixture.sealed(plain)
            let workers = Int.random(in: 1...4, using: &random)
            #expect(same(try fixture.encrypted(plain, workers: workers), expected), "size \(plain.count)")
            let largest = [1, 17, 64, 1000, 70_000, 1 << 20].filter { plain.count / $0 < 5000 }
                .randomElement(using: &random)!
            var sizes = random
            let piece = { Int.random(in: 1...largest, using: &sizes) }
            #expect(same(try fixture.piped(plain, piece: piece), expected), "size \(plain.count)")
            #expect(same(try fixture.unpiped(expected, piece: piece), plain), "size \(plain.count)")
        }
    }

    @Test(arguments: 1...4)
    func `every number of threads gives the same bytes, there and back`(workers: Int) throws {
        let fixture = try CryptoFixture()
        var random = SeededGenerator(seed: 7)
        for size in [0, 1, 5, 9].map({ $0 * OrderedChunks.chunkSize + 77 }) {
            let plain = CryptoFixture.bytes(size, &random)
            let encrypted = try fixture.encrypted(plain, workers: workers)
            #expect(same(encrypted, try fixture.sealed(plain)))
            let path = fixture.path("plain-\(size)")
            try CryptoFileCipher(workers: workers).decrypt(
                MemorySource(encrypted), to: ParallelWriter(FileSystem().create(path)), fixture.args)
            #expect(same(try fixture.read("plain-\(size)"), plain))
        }
    }

    @Test func `every split of a small file gives the same bytes`() throws {
        let fixture = try CryptoFixture()
        var random = SeededGenerator(seed: 3)
        let plain = CryptoFixture.bytes(150, &random)
        let expected = try fixture.sealed(plain)
        for first in 0...plain.count {
            for second in stride(from: first, through: plain.count, by: 7) {
                var bytes = plain
                var encryptor = try CryptoFileEncryptor(fixture.args)
                bytes.withUnsafeMutableBytes { all in
                    for range in [0..<first, first..<second, second..<plain.count] {
                        encryptor.update(UnsafeMutableRawBufferPointer(rebasing: all[range]))
                    }
                }
                #expect(encryptor.count == 150)
                #expect(bytes + encryptor.finish() == expected, "\(first) \(second)")
            }
        }
        for first in 0...expected.count {
            for second in stride(from: first, through: expected.count, by: 7) {
                var bytes = expected
                var content: [UInt8] = []
                var decryptor = try CryptoFileDecryptor(fixture.args, name: "split")
                bytes.withUnsafeMutableBytes { all in
                    for range in [0..<first, first..<second, second..<expected.count] {
                        content += decryptor.update(UnsafeMutableRawBufferPointer(rebasing: all[range]))
                    }
                }
                try decryptor.finish()
                #expect(content == plain, "\(first) \(second)")
            }
        }
    }

    @Test func `two keys made are two`() throws {
        let (one, other) = try (CryptoFileArgs(), CryptoFileArgs())
        #expect(!one.equals(other))
        #expect(one.withBytes { key, nonce in key.count == 32 && nonce.count == 24 })
        #expect(one.equals(one))
    }

    /// Without a loop of unoptimized code.
    private func same(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && SHA256.hash(one) == SHA256.hash(other)
    }
}
