import Fuzzing
import ValiseContentStore

/// Cuts of bytes that are chosen to be cut badly.
enum ChunkingTarget {
    static func cuts(_ bytes: [UInt8]) {
        guard let sizes = try? ChunkSizes(minimum: 64, average: 256, maximum: 1024) else {
            return FuzzRun.require(false, "the smallest sizes are valid")
        }
        let cutter = FastCDC(sizes)
        let whole = bytes.withUnsafeBytes { cutter.cuts($0) }
        FuzzRun.require(whole.reduce(0, +) == bytes.count, "chunks cover all bytes")
        FuzzRun.require(whole.allSatisfy { $0 > 0 && $0 <= 1024 }, "chunks have their lengths")
        FuzzRun.require(whole.dropLast().allSatisfy { $0 >= 64 }, "chunks are not too short")
        var chunker = ContentChunker(MemorySource(bytes), sizes)
        var streamed: [Int] = []
        while let length = try? chunker.next({ $0.count }) { streamed.append(length) }
        FuzzRun.require(streamed == whole, "a file that is read in pieces has the same chunks")
    }
}
