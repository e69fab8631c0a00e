import Synchronization
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells whether entries of the same name and size are the same.
///
/// Between archives the checksums of both directories tell, and nothing is read; likewise between snapshots the names of the
/// pieces, where they are the same. A file is compared with an entry by its CRC-32, and with a file byte by byte.
final class ContentComparison: Sendable {
    private let first: AccountReader
    private let second: AccountReader
    private let done = Atomic<Int64>(0)
    private let cancellation = Cancellation()

    private static let bufferSize = 512 << 10

    init(_ first: AccountReader, _ second: AccountReader) {
        self.first = first
        self.second = second
    }

    /// Fills in the outcomes that are open.
    /// - Throws: whatever `progress` throws. A file that cannot be read is an outcome.
    func run(_ matches: inout [EntryMatch], progress: ProgressHandler) throws {
        var open: [Int] = []
        for index in matches.indices where matches[index].outcome == .notCompared {
            if let known = Self.byDirectories(matches[index]) {
                matches[index].outcome = known
            } else {
                open.append(index)
            }
        }
        let jobs = open.map { matches[$0] }
        let outcomes = try compare(jobs, progress)
        for (index, outcome) in zip(open, outcomes) { matches[index].outcome = outcome }
    }

    private static func byDirectories(_ match: EntryMatch) -> EntryMatch.Outcome? {
        if let first = match.first?.fingerprint, first == match.second?.fingerprint { return .identical }
        guard let first = match.first?.packed, let second = match.second?.packed else { return nil }
        return first.checksum == second.checksum ? .identical : .otherContent
    }

    private func compare(
        _ jobs: [EntryMatch], _ progress: ProgressHandler
    ) throws -> [EntryMatch.Outcome] {
        let total = jobs.reduce(0) { $0 + ($1.first?.size ?? 0) }
        let results = Mutex([EntryMatch.Outcome](repeating: .notCompared, count: jobs.count))
        // What stopped the workers is the failure, not that they were stopped.
        var cause: (any Error)?
        do {
            try ParallelBatches.run(count: jobs.count) {
                Buffers(size: Self.bufferSize)
            } work: { buffers, number in
                let outcome = try self.compare(jobs[number], buffers)
                results.withLock { $0[number] = outcome }
            } report: { _ in
                let done = done.load(ordering: .relaxed)
                do {
                    try progress(OperationProgress("comparing files", completed: done, total: total))
                } catch {
                    cause = error
                    cancellation.cancel()
                    throw error
                }
            }
        } catch {
            throw cause ?? error
        }
        return results.withLock { $0 }
    }

    private func compare(_ match: EntryMatch, _ buffers: Buffers) throws -> EntryMatch.Outcome {
        guard let left = match.first, let right = match.second else { return match.outcome }
        switch (left.packed, right.packed) {
        case (nil, nil): return try compareBytes(left, right, buffers)
        case (nil, let packed?):
            return try reading(true) { try checksum($0.source(of: left), buffers) == packed.checksum }
        case (let packed?, _):
            return try reading(false) { try checksum($0.source(of: right), buffers) == packed.checksum }
        }
    }

    private func reading(
        _ isFirst: Bool, _ body: (AccountReader) throws -> Bool
    ) throws -> EntryMatch.Outcome {
        do {
            return try body(isFirst ? first : second) ? .identical : .otherContent
        } catch let error as any Failure where Self.isOfFile(error) {
            return .unreadable(inFirst: isFirst, error.message)
        }
    }

    /// Whether the one file cannot be read, also where a repository has lost a piece of it.
    private static func isOfFile(_ error: any Failure) -> Bool {
        error is FileError || error.code == .damaged || error.code == .notFound
    }

    private func checksum(_ source: any ByteSource, _ buffers: Buffers) throws -> UInt32 {
        var checksum = Checksum()
        var offset: Int64 = 0
        while offset < source.size {
            let piece = try unsafe fill(buffers.first, source, offset)
            unsafe checksum.update(UnsafeRawBufferPointer(piece))
            offset += Int64(piece.count)
            note(piece.count)
        }
        return checksum.value
    }

    private func compareBytes(
        _ left: AccountEntry, _ right: AccountEntry, _ buffers: Buffers
    ) throws -> EntryMatch.Outcome {
        var isFirst = true
        do {
            let mine = try first.source(of: left)
            isFirst = false
            let others = try second.source(of: right)
            guard mine.size == others.size else { return .otherSize }
            var offset: Int64 = 0
            while offset < mine.size {
                isFirst = true
                let here = try unsafe fill(buffers.first, mine, offset)
                isFirst = false
                let there = try unsafe fill(buffers.second, others, offset)
                guard let start = here.baseAddress, let end = there.baseAddress,
                    unsafe memcmp(start, end, here.count) == 0
                else { return .otherContent }
                offset += Int64(here.count)
                note(here.count)
            }
            return .identical
        } catch let error as any Failure where Self.isOfFile(error) {
            return .unreadable(inFirst: isFirst, error.message)
        }
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ source: any ByteSource, _ offset: Int64
    ) throws -> UnsafeMutableRawBufferPointer {
        try cancellation.check()
        let count = Int(min(Int64(buffer.count), source.size - offset))
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try unsafe source.fill(piece, at: offset)
        return unsafe piece
    }

    private func note(_ count: Int) {
        done.wrappingAdd(Int64(count), ordering: .relaxed)
    }
}

/// The memory of one worker.
private struct Buffers {
    private let memory: (TransferBuffer, TransferBuffer)

    init(size: Int) {
        memory = (
            TransferBuffer(byteCount: size, inLargePages: false),
            TransferBuffer(byteCount: size, inLargePages: false)
        )
    }

    var first: UnsafeMutableRawBufferPointer { unsafe memory.0.bytes }
    var second: UnsafeMutableRawBufferPointer { unsafe memory.1.bytes }
}
