import Fuzzing
import ValiseFiles

@testable import ValiseArchives

/// Deflated data of anybody's: all ways to unpack them give what zlib gives in one call, or refuse as it does.
///
/// Two bytes come first: how far the claimed size is off, mostly not at all.
enum InflateTarget {
    private static let most = 16 << 20

    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let packed = Array(bytes.dropFirst(2))
        let expected = Deflate.unpack(packed, most: most)
        let wrong = bytes[0] < 0xf0 ? 0 : Int(bytes[1]) - 0x80
        let size = max(0, (expected?.count ?? 1000) + wrong)
        let entry = ZipEntry(
            name: "fuzzed", isFolder: false, method: .deflated, compressedSize: Int64(packed.count),
            size: Int64(size), checksum: expected.map(Deflate.checksum) ?? 0, localOffset: 0, flags: 0)
        let archive = MemorySource([UInt8](repeating: 0, count: 30) + packed)
        inOrder(entry, archive, size == expected?.count ? expected : nil)
        anywhere(entry, archive, expected, bytes)
    }

    private static func inOrder(_ entry: ZipEntry, _ archive: MemorySource, _ expected: [UInt8]?) {
        var content: [UInt8] = []
        var isIntact = true
        do {
            try EntryUnpacker().unpack(entry, in: archive) { content += $0 }
        } catch {
            FuzzRun.require(error is ZipError, "errors are typed, not \(error)")
            isIntact = false
        }
        FuzzRun.require(content.count <= Int(entry.size), "no more comes than is claimed")
        guard let expected else { return FuzzRun.require(!isIntact, "what is damaged is refused") }
        FuzzRun.require(isIntact && content == expected, "what is whole comes whole")
    }

    private static func anywhere(
        _ entry: ZipEntry, _ archive: MemorySource, _ expected: [UInt8]?, _ bytes: [UInt8]
    ) {
        guard let source = try? entry.source(in: archive) else { return }
        var random = FuzzRandom(bytes)
        var buffer = [UInt8](repeating: 0, count: 1 + random.below(70_000))
        for _ in 0..<4 {
            let place = random.below(Int(entry.size))
            let count = try? buffer.withUnsafeMutableBytes { try source.read(into: $0, at: Int64(place)) }
            guard let expected, expected.count == Int(entry.size) else { continue }
            let part = expected[min(place, expected.count)...].prefix(buffer.count)
            FuzzRun.require(count == part.count && buffer.starts(with: part), "it reads the same at \(place)")
        }
    }
}
