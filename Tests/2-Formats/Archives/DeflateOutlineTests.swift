import CValiseZlib
import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseArchives

/// Deflated bytes that did not shrink are found where they lie, and are what zlib unpacks.
struct DeflateOutlineTests {
    /// Noise, with stretches that shrink in between.
    private func content(_ random: inout SeededGenerator, pieces: Int, shrinking: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<pieces {
            bytes += (0..<Int.random(in: 1...90_000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let count = Int.random(in: 0...shrinking, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes += [UInt8](repeating: 0, count: count)
            // What refers back to the noise before it.
            case 1: bytes += bytes.suffix(min(count, 20_000))
            default: bytes += (0..<count).map { UInt8($0 % 50) }
            }
        }
        return bytes
    }

    private func deflate(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var source = bytes
        var target = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 100)
        return source.withUnsafeMutableBufferPointer { source in
            let count = target.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return CValiseZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
            return Array(target.prefix(count))
        }
    }

    @Test(arguments: [Int32(1), 5, 6, 9])
    func `any part is what was packed`(level: Int32) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for shrinking in [0, 300, 70_000] {
            let bytes = content(&random, pieces: 12, shrinking: shrinking)
            let packed = deflate(bytes, level: level)
            let outline = try #require(
                try DeflateOutline(MemorySource(packed), size: Int64(bytes.count)), "seed \(seed)")
            let source = OutlinedSource(outline, path: "entry")
            #expect(source.size == Int64(bytes.count))
            for _ in 0..<50 {
                let offset = Int.random(in: 0...bytes.count, using: &random)
                let count = Int.random(in: 0...100_000, using: &random)
                var found = [UInt8](repeating: 0, count: count)
                let read = try found.withUnsafeMutableBytes { try source.read(into: $0, at: Int64(offset)) }
                #expect(
                    found[..<read].elementsEqual(bytes[offset..<min(bytes.count, offset + count)]),
                    "seed \(seed)")
            }
        }
    }

    @Test func `what shrinks, is cut off, or is changed has no outline or the same size`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let text = [UInt8](repeating: 7, count: 20 << 20)
        #expect(try DeflateOutline(MemorySource(deflate(text, level: 6)), size: Int64(text.count)) == nil)
        let bytes = content(&random, pieces: 6, shrinking: 3000)
        let packed = deflate(bytes, level: 6)
        #expect(try DeflateOutline(MemorySource(packed), size: Int64(bytes.count) + 1) == nil)
        for _ in 0..<200 {
            let end = Int.random(in: 0..<packed.count, using: &random)
            #expect(try DeflateOutline(MemorySource(Array(packed[..<end])), size: Int64(bytes.count)) == nil)
            var changed = packed
            changed[Int.random(in: 0..<packed.count, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            let outline = try DeflateOutline(MemorySource(changed), size: Int64(bytes.count))
            #expect(outline == nil || outline?.size == Int64(bytes.count), "seed \(seed)")
        }
    }
}
