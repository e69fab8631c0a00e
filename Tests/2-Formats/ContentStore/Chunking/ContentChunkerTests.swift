import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseContentStore

struct ContentChunkerTests {
    private func lengths(_ source: any ByteSource, _ sizes: ChunkSizes) throws -> (
        lengths: [Int], content: [UInt8]
    ) {
        var chunker = ContentChunker(source, sizes)
        var (lengths, content) = ([Int](), [UInt8]())
        while true {
            let offset = chunker.offset
            #expect(offset == Int64(content.count))
            guard let chunk = try chunker.next({ Array($0) }) else { break }
            lengths.append(chunk.count)
            content += chunk
        }
        let end = try chunker.next { $0.count }
        #expect(end == nil)
        return (lengths, content)
    }

    @Test(arguments: [1, .random(in: 2 ... .max)])
    func `a file that is read in pieces has the chunks of the whole file`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let most = (1 << 20) + (16 << 10)
        // Sizes around that of the buffer.
        let sizes = [0, 1, 2048, 16384, most - 1, most, most + 1, 3_500_000]
        for count in sizes + [.random(in: 1...5_000_000, using: &random)] {
            let bytes = RandomFile.bytes(count, &random)
            let result = try lengths(BytesSource(bytes), .small)
            #expect(result.content == bytes, "\(seed): \(count)")
            #expect(result.lengths == bytes.withUnsafeBytes { FastCDC(.small).cuts($0) }, "\(seed): \(count)")
        }
        let bytes = RandomFile.bytes(6_000_000, &random)
        let result = try lengths(BytesSource(bytes), .pack)
        #expect(result.lengths == bytes.withUnsafeBytes { FastCDC(.pack).cuts($0) }, "\(seed)")
    }

    @Test func `the longest chunks fit through the buffer`() throws {
        let bytes = [UInt8](repeating: 0xab, count: 40 << 20)
        let result = try lengths(BytesSource(bytes), .large)
        #expect(result.lengths == [16 << 20, 16 << 20, 8 << 20])
        #expect(result.content == bytes)
    }

    @Test func `a source that ends too early is an error, after whole chunks`() throws {
        let source = BytesSource([UInt8](repeating: 1, count: 3_000_000), claimed: 4_000_000)
        var chunker = ContentChunker(source, .small)
        var count = 0
        let error = #expect(throws: FileError.self) {
            while let length = try chunker.next({ $0.count }) { count += length }
        }
        #expect(error?.message == "file shrank while being read")
        #expect(count <= 3_000_000 && count % (16 << 10) == 0)
    }

    @Test func `an error of the body ends the call and skips no chunk`() throws {
        struct Stop: Error {}
        let bytes = StoreBytes.xorshift(seed: 5, count: 100_000)
        var chunker = ContentChunker(BytesSource(bytes), .small)
        #expect(throws: Stop.self) { try chunker.next { _ in throw Stop() } }
        let cuts = bytes.withUnsafeBytes { FastCDC(.small).cuts($0) }
        #expect(chunker.offset == Int64(cuts[0]))
        let second = try chunker.next { $0.count }
        #expect(second == cuts[1])
    }
}

/// Bytes of a file in memory, perhaps fewer than it says.
final class BytesSource: ByteSource {
    let bytes: [UInt8]
    let path: FilePath = "bytes"
    let size: Int64

    init(_ bytes: [UInt8], claimed: Int64? = nil) {
        self.bytes = bytes
        size = claimed ?? Int64(bytes.count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < bytes.count else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
