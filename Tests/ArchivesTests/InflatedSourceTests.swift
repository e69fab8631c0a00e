import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseArchives
import ValiseConcurrency
import ValiseFiles

/// Entries that are read at any place, without unpacking them.
struct InflatedSourceTests {
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...999_999)

    private func archive(_ content: [UInt8], _ method: ZipMethod, in folder: TemporaryFolder) throws
        -> FilePath
    {
        let path = folder.appending("a.zip")
        let writer = try ZipWriter(try FileSystem().create(path), level: 1)
        try writer.add("before", size: 3, modificationTime: 0, method: .stored) { buffer in
            buffer.copyBytes(from: [1, 2, 3])
            return 3
        }
        var offset = 0
        try writer.add("content", size: Int64(content.count), modificationTime: 0, method: method) { buffer in
            let piece = content[offset..<min(offset + buffer.count, content.count)]
            buffer.copyBytes(from: piece)
            offset += piece.count
            return piece.count
        }
        _ = try writer.finish()
        return path
    }

    private func source(_ path: FilePath) throws -> any ByteSource {
        let index = try ZipIndex(try FileSystem().openForReading(path), limits: ZipLimits(ratio: 2000))
        return try #require(index.entry(named: "content")).source(in: FileSource(path))
    }

    private func read(_ source: any ByteSource, at offset: Int64, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = try source.read(into: UnsafeMutableRawBufferPointer(memory), at: offset)
        }
    }

    @Test(arguments: [
        (ZipMethod.stored, 3_000_000), (.deflated, 12_345_678), (.deflated, 262_144), (.deflated, 1),
    ])
    func `any stretch is what was packed`(method: ZipMethod, size: Int) throws {
        print("seed of the stretches: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let folder = try TemporaryFolder()
        let content = mixedContent(size, &random)
        let source = try source(try archive(content, method, in: folder))
        #expect(source.size == Int64(size))
        for _ in 0..<60 {
            let offset = Int.random(in: 0...size, using: &random)
            let count = Int.random(in: 0...300_000, using: &random)
            let expected = content[offset..<min(offset + count, size)]
            #expect(try read(source, at: Int64(offset), count: count).elementsEqual(expected), "at \(offset)")
        }
        #expect(try read(source, at: Int64(size), count: 10).isEmpty)
        #expect(try read(source, at: Int64(size) + 5, count: 10).isEmpty)
        #expect(try read(source, at: 0, count: size) == content)
    }

    @Test func `several threads read at once`() throws {
        var random = SeededGenerator(seed: 5)
        let folder = try TemporaryFolder()
        let content = mixedContent(8_000_000, &random)
        let source = try source(try archive(content, .deflated, in: folder))
        let wrong = Mutex(0)
        try ParallelBatches.run(count: 80, workers: 4, makeWorker: {}) { _, batch in
            let offset = batch * 100_000
            let bytes = try read(source, at: Int64(offset), count: 100_000)
            if !bytes.elementsEqual(content[offset..<offset + 100_000]) { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
