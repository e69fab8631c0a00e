import Synchronization

/// Goes through the chunks of something large on all cores, with one step that takes them in order.
package enum OrderedChunks {
    /// Large enough that threads and calls cost nothing, small enough for the processor's cache.
    package static let chunkSize = 512 << 10

    /// Runs three steps for each chunk: `before` and `after` side by side with those of other chunks, `ordered`
    /// after that of the chunk before.
    ///
    /// - Parameters:
    ///   - size: of the whole, in bytes.
    ///   - workers: how many threads share the work.
    ///   - before: fills the buffer with the chunk at the offset.
    ///   - ordered: sees it in its turn.
    ///   - after: does the rest with it.
    ///   - report: called on the calling thread with the number of bytes done; throw to stop.
    /// - Throws: the first error of any closure.
    package static func run(
        size: Int64, workers: Int = ParallelBatches.workers,
        before: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Void,
        ordered: @Sendable (UnsafeMutableRawBufferPointer) -> Void,
        after: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Void = { _, _ in },
        report: (Int64) throws -> Void = { _ in }
    ) throws {
        let count = Int((size + Int64(chunkSize) - 1) / Int64(chunkSize))
        let workers = max(1, min(workers, count))
        // Small files by the thousand shall not each start a thread.
        if workers == 1 { return try runAlone(size, before, ordered, after, report) }
        let turns = OrderedTurns(workers: workers)
        // What stopped the others is the failure, not that they were stopped.
        let cause = Mutex<(any Error)?>(nil)
        @Sendable func work(_ buffer: TransferBuffer, _ number: Int) throws {
            let offset = Int64(number) * Int64(chunkSize)
            let chunk = UnsafeMutableRawBufferPointer(
                rebasing: buffer.bytes[..<Int(min(Int64(chunkSize), size - offset))])
            do {
                try before(chunk, offset)
            } catch {
                cause.withLock { $0 = $0 ?? error }
                turns.fail()
                throw error
            }
            try turns.take(number) { ordered(chunk) }
            try after(chunk, offset)
        }
        do {
            try ParallelBatches.run(
                count: count, workers: workers,
                makeWorker: { TransferBuffer(byteCount: chunkSize, inLargePages: false) },
                work: { try work($0, $1) },
                report: { try report(min(size, Int64($0) * Int64(chunkSize))) })
        } catch {
            throw cause.withLock { $0 } ?? error
        }
    }

    private static func runAlone(
        _ size: Int64, _ before: (UnsafeMutableRawBufferPointer, Int64) throws -> Void,
        _ ordered: (UnsafeMutableRawBufferPointer) -> Void,
        _ after: (UnsafeMutableRawBufferPointer, Int64) throws -> Void, _ report: (Int64) throws -> Void
    ) throws {
        let buffer = TransferBuffer(byteCount: chunkSize, inLargePages: false)
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(Int64(chunkSize), size - offset))
            let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<count])
            try before(chunk, offset)
            ordered(chunk)
            try after(chunk, offset)
            offset += Int64(count)
            try report(offset)
        }
    }
}
