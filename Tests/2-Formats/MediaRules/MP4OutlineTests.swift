import FaultInjection
import Foundation
import Testing
import ValiseFailures
import ValiseMediaRules

struct MP4OutlineTests {
    private final class Reads {
        var count = 0
        var areWithin = true
    }

    private func outline(_ bytes: [UInt8], size: Int64? = nil, _ reads: Reads = Reads()) throws -> MP4Outline
    {
        let size = size ?? Int64(bytes.count)
        defer { #expect(reads.areWithin, "a read outside of the file, or a large one") }
        return try MP4Outline(size: size) { offset, count in
            reads.count += 1
            reads.areWithin =
                reads.areWithin && offset >= 0 && (1...32).contains(count) && offset + Int64(count) <= size
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }

    private static func number(_ value: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
        number(UInt64(content.count + 8), 4) + Array(type.utf8) + content
    }

    private static func longBox(_ type: String, _ content: [UInt8], length: UInt64? = nil) -> [UInt8] {
        number(1, 4) + Array(type.utf8) + number(length ?? UInt64(content.count + 16), 8) + content
    }

    private static func header(scale: UInt64, duration: UInt64, version: UInt8 = 0) -> [UInt8] {
        let width = version == 1 ? 8 : 4
        let times = number(7, width) + number(8, width)
        return box("mvhd", [version, 0, 0, 0] + times + number(scale, 4) + number(duration, width))
    }

    private static func track(_ handler: String) -> [UInt8] {
        box("trak", box("tkhd", [1]) + box("mdia", box("hdlr", number(0, 8) + Array(handler.utf8))))
    }

    private static func movie(_ content: [UInt8]) -> [UInt8] { box("ftyp") + box("moov", content) }

    @Test func `sample files last what they were made to last`() throws {
        let voice = try outline(try SampleFile.bytes("voice.m4a"))
        #expect(voice.kind == .voice && voice.hasSound && !voice.hasVideo)
        let clip = try outline(try SampleFile.bytes("clip.mp4"))
        #expect(clip.kind == .video)
        #expect(voice.duration == 2 && clip.duration == 1, "\(voice) \(clip)")
    }

    @Test func `both versions of the header, long boxes, and a last box up to the end`() throws {
        let short = try outline(Self.movie(Self.header(scale: 600, duration: 90_300) + Self.track("soun")))
        #expect(
            short
                == (try outline(
                    Self.movie(
                        Self.header(scale: 600, duration: 90_300, version: 1) + Self.track("soun")))))
        #expect(short.duration == 150.5 && short.kind == .voice)
        let content = Self.header(scale: 1, duration: 300) + Self.track("vide") + Self.track("soun")
        let long = try outline(Self.longBox("mdat", [1, 2, 3]) + Self.longBox("moov", content))
        #expect(long.duration == 300 && long.kind == .video)
        let open = try outline(Self.number(0, 4) + Array("moov".utf8) + content)
        #expect(open == long)
        #expect(try outline(Self.movie(content) + [0, 0, 0]) == long)
    }

    @Test func `content of terabytes is passed over`() throws {
        let tail = Self.box("moov", Self.header(scale: 1, duration: 9))
        let head = Self.longBox("mdat", [], length: 1 << 42)
        let found = try MP4Outline(size: (1 << 42) + Int64(tail.count)) { offset, count in
            let bytes = offset < 1 << 42 ? head[...] : tail[...]
            return Array(bytes.dropFirst(Int(offset % (1 << 42))).prefix(count))
        }
        #expect(found.duration == 9 && found.kind == .file)
    }

    @Test func `an open length is no length`() throws {
        for (duration, version) in [(0, 0), (UInt64(UInt32.max), 0), (0, 1), (UInt64.max, 1)] {
            let bytes = Self.movie(Self.header(scale: 1000, duration: duration, version: UInt8(version)))
            #expect(try outline(bytes).duration == nil)
        }
    }

    private func refusal(_ bytes: [UInt8], size: Int64? = nil) -> MediaRulesError? {
        #expect(throws: MediaRulesError.self) { try outline(bytes, size: size) }
    }

    @Test func `hostile boxes are refused with what is wrong`() {
        let header = Self.header(scale: 1, duration: 1)
        #expect(refusal([])?.message.contains("no movie box") == true)
        #expect(refusal(Self.box("ftyp"))?.message.contains("no movie box") == true)
        #expect(refusal(Self.movie([]))?.message.contains("no movie header") == true)
        #expect(refusal(Self.movie(header + header))?.message.contains("two movie headers") == true)
        for length in [2, 7, 200] as [UInt64] {
            let bytes = Self.number(length, 4) + Array("free".utf8) + [UInt8](repeating: 0, count: 100)
            #expect(refusal(bytes)?.message.contains("invalid size") == true)
        }
        for length in [0, 15, 1 << 62, 1 << 63, UInt64.max] as [UInt64] {
            #expect(refusal(Self.longBox("moov", header, length: length))?.code == .damaged)
        }
        #expect(refusal(Self.number(1, 4) + Array("mdat".utf8) + [0])?.message.contains("cut off") == true)
        #expect(refusal(Self.movie(Self.box("mvhd", [0])))?.message.contains("too short") == true)
        #expect(refusal(Self.movie(Self.box("mvhd")))?.message.contains("too short") == true)
        #expect(
            refusal(Self.movie(Self.header(scale: 0, duration: 1)))?.message.contains("time scale of 0")
                == true)
        let eternal = Self.header(scale: 1, duration: UInt64.max - 1, version: 1)
        #expect(refusal(Self.movie(eternal))?.message.contains("claims a duration") == true)
        #expect(
            refusal(Self.movie(Self.box("mvhd", [2] + [UInt8](repeating: 1, count: 40))))?.code == .damaged)
        // The file says that it is longer than what can be read of it.
        #expect(refusal(Self.box("ftyp"), size: 1000)?.message.contains("content ends") == true)
    }

    @Test func `a million boxes are given up`() throws {
        let reads = Reads()
        let flat = (0..<5000).flatMap { _ in Self.box("free") }
        let nested = Self.movie((0..<5000).flatMap { _ in Self.box("trak") })
        for bytes in [flat, nested] {
            let error = #expect(throws: MediaRulesError.self) { try outline(bytes, reads) }
            #expect(error?.code == .unsupported)
        }
        #expect(reads.count <= 2 * (MP4Outline.mostBoxes + 2))
        // A closure that gives the same box for ever.
        let endless = #expect(throws: MediaRulesError.self) {
            try MP4Outline(size: Int64.max) { _, count in
                Array((Self.box("moov") + Self.box("free")).prefix(count))
            }
        }
        #expect(endless != nil)
    }

    @Test func `mutated files end in an outline or a refusal, after few reads`() throws {
        let seed =
            ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let samples = try ["voice.m4a", "clip.mp4"].map { name in
            let bytes = try SampleFile.bytes(name)
            // Where the boxes are, so that most changes hit one.
            return (bytes, places: bytes.indices.filter { bytes[$0] == UInt8(ascii: "m") })
        }
        var (read, refused) = (0, 0)
        for _ in 0..<5000 {
            var (bytes, places) = samples[Int.random(in: 0..<2, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let near = places[Int.random(in: 0..<places.count, using: &random)]
                let place = min(max(0, near + Int.random(in: -8...8, using: &random)), bytes.count - 1)
                let extremes: [UInt8] = [
                    0, 1, 7, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random),
                ]
                bytes[place] = extremes[Int.random(in: 0..<7, using: &random)]
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            let reads = Reads()
            do {
                let found = try outline(bytes, reads)
                #expect(found.duration.map { $0 > 0 && $0 <= MP4Outline.longest } ?? true)
                read += 1
            } catch is MediaRulesError {
                refused += 1
            }
            #expect(reads.count <= 3 * MP4Outline.mostBoxes, "seed \(seed)")
        }
        #expect(read > 100 && refused > 100, "\(read) read, \(refused) refused, seed \(seed)")
    }

    @Test func `an error of the source comes through`() {
        struct Broken: Error {}
        #expect(throws: Broken.self) { try MP4Outline(size: 100) { _, _ in throw Broken() } }
    }
}
