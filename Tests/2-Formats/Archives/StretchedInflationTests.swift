import CValiseZlib
import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Large deflated entries are unpacked in stretches side by side; what comes must be what zlib gives in order.
struct StretchedInflationTests {
    private static let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil
    private static let isUnit = ProcessInfo.processInfo.environment["VALISE_UNIT"] != nil

    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    // MARK: What is packed

    /// Words, zeros, noise, and what looks like the end of a stretch.
    private func content(_ random: inout SeededGenerator) -> [UInt8] {
        let size = Int.random(in: 1_100_000...5_000_000, using: &random)
        let words = (0..<200).map { _ in
            (0..<Int.random(in: 2...9, using: &random)).map { _ in UInt8.random(in: 97...122, using: &random)
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 300_000)
        while bytes.count < size {
            let length = Int.random(in: 1...300_000, using: &random)
            let end = bytes.count + length
            switch Int.random(in: 0...4, using: &random) {
            case 0: bytes += [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: length)
            case 1:
                while bytes.count < end {
                    withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
                }
            case 2:
                while bytes.count < end {
                    bytes += [0, 0, 0xff, 0xff, UInt8(truncatingIfNeeded: bytes.count)]
                }
            default: while bytes.count < end { bytes += words.randomElement(using: &random)! }
            }
        }
        return bytes
    }

    /// One stream of zlib's, flushed in one way at random places.
    private func deflated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let level = Int32.random(in: 0...9, using: &random)
        let strategy = [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE].randomElement(using: &random)!
        let flush = [Z_NO_FLUSH, Z_FULL_FLUSH, Z_FULL_FLUSH, Z_SYNC_FLUSH, Z_PARTIAL_FLUSH, Z_BLOCK]
            .randomElement(using: &random)!
        let pieces = [1_000, 30_000, 300_000, 1 << 20, 1 << 20, 2_000_000].randomElement(using: &random)!
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var out = [UInt8](
            repeating: 0, count: bytes.count + bytes.count / 10 + 100_000 + bytes.count / pieces * 20)
        var input = bytes
        let count = out.count
        out.withUnsafeMutableBufferPointer { out in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(count)
                var offset = 0
                while offset < input.count {
                    let piece = min(Int.random(in: pieces / 2...pieces, using: &random), input.count - offset)
                    stream.next_in = input.baseAddress! + offset
                    stream.avail_in = UInt32(piece)
                    offset += piece
                    deflate(&stream, offset == input.count ? Z_FINISH : flush)
                }
            }
        }
        return Array(out.prefix(Int(stream.total_out)))
    }

    /// By hand: blocks that are merely stored, with all sorts of markers inside of them and between.
    private func stored(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        let usual = [40, 3_000, 65_535].randomElement(using: &random)!
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...usual, using: &random))
            rest = rest.dropFirst(piece.count)
            out += [rest.isEmpty ? 1 : 0, UInt8(piece.count & 255), UInt8(piece.count >> 8)]
            out += [~UInt8(piece.count & 255), ~UInt8(piece.count >> 8)] + piece
            if Int.random(in: 0...9, using: &random) == 0, !rest.isEmpty { out += [0, 0, 0, 0xff, 0xff] }
        }
        return out
    }

    // MARK: What comes

    /// What zlib makes of it in order; nil where that is not all of it, or damaged.
    private func inflated(_ packed: [UInt8], size: Int) -> [UInt8]? {
        var stream = z_stream()
        inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var input = packed
        var out = [UInt8](repeating: 0, count: size + 1)
        let result = out.withUnsafeMutableBufferPointer { out in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(out.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0, stream.total_out == size else { return nil }
        return Array(out.prefix(size))
    }

    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(0, bytes, bytes.count))
    }

    /// Reads the entry in both ways, and compares what comes with zlib's answer.
    private func expectSame(_ packed: [UInt8], size: Int, checksum: UInt32, _ comment: Comment) throws {
        let path = folder.appending("a.zip")
        try fileSystem.removeTree(path)
        try fileSystem.removeTree(folder.appending("packed"))
        var file = try fileSystem.create(folder.appending("packed"))
        try file.write(packed)
        let writer = try ZipWriter(try fileSystem.create(path), workers: 1)
        try writer.addPacked(
            "a", try FileSource(folder.appending("packed")), method: .deflated, size: Int64(size),
            checksum: checksum, modificationTime: 0)
        _ = try writer.finish()
        let index = try ZipIndex(
            try fileSystem.openForReading(path), limits: ZipLimits(totalSize: .max, ratio: 1 << 40))
        let zip = ZipContents(index, try FileSource(path))
        let found = try zip.check()
        var read: [UInt8] = []
        read.reserveCapacity(size)
        let serial = inflated(packed, size: size)
        if let serial, self.checksum(serial) == checksum {
            try zip.read(index.entries[0]) { read += $0 }
            #expect(read == serial, comment)
            #expect(found.isEmpty, comment)
        } else {
            #expect(throws: ZipError.self, comment) { try zip.read(index.entries[0]) { read += $0 } }
            #expect(found.map(\.error.code) == [.damaged], comment)
            #expect(read.count <= size, comment)
        }
    }

    @Test func `any stream is unpacked as in order`() throws {
        print("seed of the streams: \(ZipContentsTests.seed)")
        var random = SeededGenerator(seed: ZipContentsTests.seed)
        for round in 0..<(Self.isSoak ? 400 : Self.isUnit ? 5 : 16) {
            let bytes = content(&random)
            var packed = round % 5 == 4 ? stored(bytes, &random) : deflated(bytes, &random)
            let comment: Comment = "seed \(ZipContentsTests.seed), round \(round)"
            let sum = checksum(bytes)
            try expectSame(packed, size: bytes.count, checksum: sum, comment)
            let place = Int.random(in: 0..<packed.count, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: packed = Array(packed[..<place])
            case 1: packed += [0, 0, 0xff, 0xff]
            case 2: try expectSame(packed, size: bytes.count + 1, checksum: sum, comment)
            case 3: try expectSame(packed, size: bytes.count - 1, checksum: sum, comment)
            default: packed[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            try expectSame(packed, size: bytes.count, checksum: sum, comment)
        }
    }

    /// A last stored block whose content goes on behind a marker, by every count of bytes: among them that of the
    /// block that is put there to prove the end.
    @Test func `a marker inside of a stored block is content`() throws {
        let head = [UInt8](repeating: 7, count: 1_100_000)
        var random = SeededGenerator(seed: 11)
        let packedHead = stored(head, &random)
        // The last block of the head is no longer the last.
        var blocks = packedHead
        let last = try #require(lastHeader(packedHead))
        blocks[last] = 0
        for tail in 1...40 {
            let content =
                [UInt8](repeating: 9, count: 200) + [0, 0, 0xff, 0xff]
                + [UInt8](repeating: 1, count: tail)
            let size = UInt8(content.count)
            let packed = blocks + [1, size, 0, ~size, 0xff] + content
            let bytes = head + content
            try expectSame(packed, size: bytes.count, checksum: checksum(bytes), "\(tail) bytes behind it")
        }
    }

    /// A full flush behind some bytes, and the rest of the content.
    private func flushed(_ bytes: [UInt8], at place: Int) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var out = [UInt8](repeating: 0, count: bytes.count + 100_000)
        var input = bytes
        let available = UInt32(out.count)
        out.withUnsafeMutableBufferPointer { out in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_out = out.baseAddress
                stream.avail_out = available
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(place)
                deflate(&stream, Z_FULL_FLUSH)
                stream.avail_in = UInt32(input.count - place)
                deflate(&stream, Z_FINISH)
            }
        }
        return Array(out.prefix(Int(stream.total_out)))
    }

    /// What proves the end of a stretch has space in memory too, which the stretch must not take.
    @Test(arguments: [0, 1, 3, 5, 6, 16, 21, 22])
    func `a stretch may be some bytes longer than usual`(_ more: Int) throws {
        let usual = 1 << 20
        let bytes = (0..<(3 * usual)).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        // In the middle of an entry, and at its end.
        for size in [bytes.count, usual / 2 + usual + more] {
            let place = size == bytes.count ? usual + more : usual / 2
            let content = Array(bytes.prefix(size))
            try expectSame(
                flushed(content, at: place), size: size, checksum: checksum(content), "\(more) bytes more")
        }
    }

    private func lastHeader(_ packed: [UInt8]) -> Int? {
        var place = 0
        while place < packed.count {
            if packed[place] == 1 { return place }
            place += 5 + Int(packed[place + 1]) + Int(packed[place + 2]) << 8
        }
        return nil
    }

    @Test func `a marker every five bytes takes no longer than other content`() throws {
        let content = [UInt8](repeating: 3, count: 1_200_000)
        var random = SeededGenerator(seed: 12)
        var packed: [UInt8] = []
        packed.reserveCapacity(60_000_000)
        for _ in 0..<(Self.isSoak ? 10_000_000 : 2_000_000) { packed += [0, 0, 0, 0xff, 0xff] }
        packed += deflated(content, &random)
        let clock = ContinuousClock()
        let time = try clock.measure {
            try expectSame(packed, size: content.count, checksum: checksum(content), "")
        }
        #expect(time < .seconds(60))
    }

    /// A thousand times larger unpacked: what does not fit the memory of a stretch goes in order.
    @Test func `a stretch that grows without end takes no memory`() throws {
        let content = [UInt8](repeating: 0, count: 60 << 20)
        for seed in FaultSweep.few(of: 0..<7).prefix(2) {
            var random = SeededGenerator(seed: UInt64(seed))
            try expectSame(
                deflated(content, &random), size: content.count, checksum: checksum(content), "seed \(seed)")
        }
    }
}
