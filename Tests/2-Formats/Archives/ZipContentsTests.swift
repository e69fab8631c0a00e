import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Unpacking and checking entries on all cores.
struct ZipContentsTests {
    static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...999_999)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private struct Stop: Error {}

    /// Small entries by the dozen, one that is stored and one that is deflated of several cores' size.
    private func contents(_ random: inout SeededGenerator) -> [(name: String, bytes: [UInt8], ZipMethod)] {
        var all: [(name: String, bytes: [UInt8], ZipMethod)] = []
        for number in 0..<150 {
            let count = Int.random(in: 0...20_000, using: &random)
            all.append(
                ("small/\(number)", mixedContent(count, &random), number % 3 == 0 ? .stored : .deflated))
        }
        all.insert(("large stored", mixedContent(20_000_000, &random), .stored), at: 40)
        all.insert(("large deflated", mixedContent(9_000_000, &random), .deflated), at: 90)
        return all
    }

    private func archive(_ contents: [(name: String, bytes: [UInt8], ZipMethod)]) throws -> FilePath {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try FileSystem().create(path), level: 1)
        for (name, bytes, method) in contents { try writer.add(name, bytes, method: method) }
        _ = try writer.finish()
        return path
    }

    private func opened(_ path: FilePath) throws -> (index: ZipIndex, contents: ZipContents) {
        let index = try ZipIndex(try FileSystem().openForReading(path), limits: ZipLimits(ratio: 2000))
        return (index, ZipContents(index, try FileSource(path)))
    }

    @Test func `what was packed is read, and nothing is wrong with it`() throws {
        print("seed of the contents: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let expected = contents(&random)
        let (index, zip) = try opened(try archive(expected))
        var last: Int64 = 0
        let found = try zip.check(progress: { done in
            #expect(done >= last)
            last = done
        })
        #expect(found.isEmpty)
        #expect(last == index.entries.reduce(0) { $0 + $1.compressedSize })
        for (entry, expected) in Swift.zip(index.entries, expected) {
            var bytes: [UInt8] = []
            try zip.read(entry) { bytes += $0 }
            #expect(bytes == expected.bytes, "\(entry.name)")
        }
    }

    @Test func `damage is told in the order of the file, and only where it is`() throws {
        print("seed of the damage: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let path = try archive(contents(&random))
        let index = try opened(path).index
        let victims = ["small/3", "large stored", "small/50", "large deflated", "small/149"]
        let archive = try FileSource(path)
        var bytes = try FileSystem().contents(of: path, limit: 100 << 20)
        for name in victims {
            let entry = try #require(index.entry(named: name))
            guard entry.size > 0 else { continue }
            let packed = try entry.packedSource(in: archive)
            var head = [UInt8](repeating: 0, count: Int(packed.size))
            _ = try head.withUnsafeMutableBytes { try packed.read(into: $0, at: 0) }
            let start = try #require(Data(bytes).range(of: Data(head))).lowerBound
            bytes[start + Int.random(in: 0..<head.count, using: &random)] ^= 1
        }
        let damaged = folder.appending("damaged.zip")
        var file = try FileSystem().create(damaged)
        try file.write(bytes)
        let bad = ZipContents(index, try FileSource(damaged))
        let found = try bad.check()
        let expected = victims.filter { index.entry(named: $0)!.size > 0 }
        // A flipped bit behind the end of a deflated stream's last block says nothing.
        #expect(found.map(\.entry.name).filter { expected.contains($0) } == found.map(\.entry.name))
        #expect(found.contains { $0.entry.name == "large stored" && $0.error.defect == .checksum })
        for (entry, error) in found {
            #expect(error.code == .damaged)
            #expect(throws: ZipError.self) { try bad.read(entry) { _ in } }
        }
        #expect(try bad.check(only: { !victims.contains($0.name) }).isEmpty)
    }

    @Test func `a check stops where its progress throws`() throws {
        var random = SeededGenerator(seed: 1)
        let (_, zip) = try opened(try archive(contents(&random)))
        #expect(throws: Stop.self) { try zip.check(progress: { _ in throw Stop() }) }
    }

    @Test func `a reader stops where its consumer throws`() throws {
        var random = SeededGenerator(seed: 2)
        let (index, zip) = try opened(try archive(contents(&random)))
        for name in ["large deflated", "large stored", "small/1"] {
            let entry = try #require(index.entry(named: name))
            #expect(throws: Stop.self) { try zip.read(entry) { _ in throw Stop() } }
        }
    }
}

/// Stretches that pack well and others that do not pack at all.
func mixedContent(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
        let length = Int.random(in: 1...200_000, using: &random)
        if Bool.random(using: &random) {
            let byte = UInt8.random(in: 0...255, using: &random)
            bytes += [UInt8](repeating: byte, count: length)
        } else {
            for _ in 0..<length / 8 + 1 {
                withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
            }
        }
    }
    return Array(bytes.prefix(count))
}

extension ZipWriter {
    func add(
        _ name: String, _ bytes: [UInt8], method: ZipMethod, modificationTime: Int64 = 1_700_000_000
    ) throws {
        var offset = 0
        try add(name, size: Int64(bytes.count), modificationTime: modificationTime, method: method) {
            buffer in
            let piece = bytes[offset..<min(offset + buffer.count, bytes.count)]
            buffer.copyBytes(from: piece)
            offset += piece.count
            return piece.count
        }
    }
}
