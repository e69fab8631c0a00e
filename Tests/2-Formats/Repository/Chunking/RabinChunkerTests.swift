import FaultInjection
import Foundation
import Testing

@testable import ValiseRepository

struct RabinChunkerTests {
    /// The ends of all chunks of a file that is read in pieces.
    private func cuts(_ polynomial: UInt64, _ bytes: [UInt8], piece: () -> Int) throws -> [Int] {
        var chunker = try #require(RabinChunker(polynomial: polynomial))
        var cuts: [Int] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + max(1, piece()))
            while place < end {
                guard let length = chunker.cut(bytes.span.extracting(place..<end)) else {
                    place = end
                    continue
                }
                place += length
                cuts.append(place)
            }
        }
        if chunker.length > 0 { cuts.append(bytes.count) }
        return cuts
    }

    private struct File {
        let polynomial: UInt64
        let bytes: [UInt8]
        let cuts: [Int]
    }

    private func files() throws -> [File] {
        let files = try #require(try RecordFixture.json("rabin.json")["files"] as? [[String: Any]])
        return try files.map { file in
            var random = SeededGenerator(seed: UInt64(try #require(file["seed"] as? Int)))
            let size = try #require(file["size"] as? Int)
            let before = file["zeros_before"] as? Int ?? 0
            var bytes = [UInt8](repeating: 0, count: before)
            bytes += CryptoFixture.bytes(file["random"] as? Int ?? size, &random)
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
            let polynomial = try #require((file["polynomial"] as? String).flatMap { UInt64($0, radix: 16) })
            return File(polynomial: polynomial, bytes: bytes, cuts: try #require(file["cuts"] as? [Int]))
        }
    }

    @Test func `files are cut where restic cuts them, whatever they are read in`() throws {
        let seed = CryptoFixture.seed("pieces of files")
        var random = SeededGenerator(seed: seed)
        for file in try files() {
            #expect(try cuts(file.polynomial, file.bytes) { .max / 2 } == file.cuts)
            #expect(try cuts(file.polynomial, file.bytes) { 65_536 } == file.cuts)
            let odd = try cuts(file.polynomial, file.bytes) { .random(in: 1...100_000, using: &random) }
            #expect(odd == file.cuts, "\(seed)")
        }
    }

    @Test func `single bytes are cut at the same places`() throws {
        for file in try files() where file.bytes.count < 4_000_000 {
            #expect(try cuts(file.polynomial, file.bytes) { 1 } == file.cuts)
            var small = 0
            #expect(
                try cuts(file.polynomial, file.bytes) {
                    small = small % 130 + 1
                    return small
                } == file.cuts)
        }
    }

    @Test func `chunks are as long as they may be`() throws {
        // A byte that never makes the digest end in zeros makes the longest chunks.
        let bytes = [UInt8](repeating: 0x55, count: 20 << 20)
        let found = try cuts(0x2a21_f71c_83ec_a3, bytes) { 1 << 20 }
        #expect(found == [8 << 20, 16 << 20, 20 << 20])
        let short = [UInt8](repeating: 1, count: 1000)
        #expect(try cuts(0x2a21_f71c_83ec_a3, short) { 7 } == [1000])
        #expect(try cuts(0x2a21_f71c_83ec_a3, []) { 7 } == [])
    }

    @Test func `a file begins anew behind the end of another`() throws {
        let file = try #require(try files().first { $0.bytes.count < 4_000_000 })
        var chunker = try #require(RabinChunker(polynomial: file.polynomial))
        let half = Array(file.bytes[..<700_000])
        if chunker.cut(half.span) == nil { #expect(chunker.length == 700_000) }
        chunker.finish()
        #expect(chunker.length == 0)
        let first = chunker.cut(file.bytes.span)
        #expect(first == file.cuts.first)
    }

    @Test(arguments: [UInt64(0), 1, 0xff, 1 << 23, 1 << 56, .max])
    func `a polynomial of another degree is refused`(polynomial: UInt64) {
        #expect(RabinChunker(polynomial: polynomial) == nil)
    }
}
