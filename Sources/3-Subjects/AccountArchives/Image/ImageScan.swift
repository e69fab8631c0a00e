import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
import ValiseFiles

/// Reads every file of an account once, on all cores: its checksum for the archive, its SHA-256 as a proof.
///
/// Files are spread over the cores, large ones first. One that is more than a core's share of everything is read by
/// all of them: SHA-256 goes through it in order, while the others read ahead and make the checksum.
struct ImageScan {
    private let sources: [ExportSource]
    private let fileSystem: FileSystem
    private let state: State

    /// What the workers share.
    private final class State: Sendable {
        let outcome: Mutex<Outcome>
        let done = Atomic<Int64>(0)
        let cancellation = Cancellation()

        init(count: Int) {
            outcome = Mutex(Outcome(files: Array(repeating: .unread, count: count)))
        }
    }

    /// What was found, by the numbers of the sources.
    struct Outcome {
        /// One for each source that could be read, in their order; for all of them as long as it goes on.
        fileprivate(set) var files: [ScannedFile]
        fileprivate(set) var unreadable: [Int: FileError] = [:]
    }

    /// From this size on a file may be read by all cores together.
    private static let largeSize: Int64 = 32 << 20
    /// A core gets so many bytes of small files at a time, and so many files at most.
    private static let batchSize: Int64 = 8 << 20
    private static let batchCount = 64
    private static let bufferSize = 1 << 20

    init(_ sources: [ExportSource], _ fileSystem: FileSystem) {
        self.sources = sources
        self.fileSystem = fileSystem
        state = State(count: sources.count)
    }

    /// - Throws: ``AccountArchiveError`` for a file that changes meanwhile; ``FileError`` for a database that cannot
    ///   be read; whatever `progress` throws.
    func run(_ progress: ProgressHandler) throws -> Outcome {
        let total = sources.reduce(Int64(0)) { sum, source in
            let (sum, isTooMuch) = sum.addingReportingOverflow(source.size)
            return isTooMuch ? .max : sum
        }
        var stop: (any Error)?
        func report() throws {
            do {
                let done = state.done.load(ordering: .relaxed)
                try progress(
                    OperationProgress("reading the account", completed: done, total: max(total, done)))
            } catch {
                stop = error
                state.cancellation.cancel()
                throw error
            }
        }
        do {
            try scan(total, report)
            try report()
        } catch {
            // What stopped the workers is the failure, not that they were stopped.
            throw stop ?? error
        }
        return state.outcome.withLock { outcome in
            // Moved, not copied: it has megabytes.
            var found = Outcome(files: [])
            swap(&found, &outcome)
            if !found.unreadable.isEmpty {
                found.files = found.files.indices.filter { found.unreadable[$0] == nil }.map {
                    found.files[$0]
                }
            }
            return found
        }
    }

    private func scan(_ total: Int64, _ report: () throws -> Void) throws {
        let share = total / Int64(ParallelBatches.workers)
        let huge = Set(
            sources.indices.filter { sources[$0].size >= Self.largeSize && sources[$0].size > share })
        for index in huge.sorted() {
            try scan(index) { try readTogether($0, report) }
        }
        let batches = batches(without: huge)
        try ParallelBatches.run(
            count: batches.count,
            makeWorker: { TransferBuffer(byteCount: Self.bufferSize, inLargePages: false) },
            work: { buffer, number in
                for index in batches[number] { try scan(index) { try read($0, buffer) } }
            }, report: { _ in try report() })
    }

    /// Large files one by one and first, so that none is begun when all others are done.
    private func batches(without huge: Set<Int>) -> [[Int]] {
        var large: [Int] = []
        var batches: [[Int]] = []
        var batch: [Int] = []
        var size: Int64 = 0
        for index in sources.indices where !huge.contains(index) {
            if sources[index].size >= Self.largeSize {
                large.append(index)
                continue
            }
            batch.append(index)
            size += sources[index].size
            if size >= Self.batchSize || batch.count == Self.batchCount {
                batches.append(batch)
                (batch, size) = ([], 0)
            }
        }
        if !batch.isEmpty { batches.append(batch) }
        return large.sorted { sources[$0].size > sources[$1].size }.map { [$0] } + batches
    }

    // MARK: One file

    private func scan(_ index: Int, _ read: (FileSource) throws -> (UInt32, [UInt8])) throws {
        let source = sources[index]
        do {
            let file = try FileSource(source.path, fileSystem: fileSystem)
            let before = try ImageStamp(file.attributes())
            let (checksum, digest) = try read(file)
            guard try ImageStamp(file.attributes()) == before, before.size == file.size else {
                throw Self.changed(file.path)
            }
            let scanned = ScannedFile(stamp: before, checksum: checksum, digest: ImageDigest(digest))
            state.outcome.withLock { $0.files[index] = scanned }
        } catch let error as FileError where !source.isDatabase {
            // As an export has it: of media, what can be read. Without a database it is no account.
            state.outcome.withLock { $0.unreadable[index] = error }
        }
    }

    static func changed(_ path: FilePath) -> AccountArchiveError {
        AccountArchiveError(
            .failed,
            "changed while being read. Nothing was done.",
            kind: .sourceChanged, subject: path.string, remedy: .closeProgram)
    }

    private func read(_ file: FileSource, _ buffer: TransferBuffer) throws -> (UInt32, [UInt8]) {
        var checksum = Checksum()
        var hash = SHA256()
        var done: Int64 = 0
        while done < file.size {
            try state.cancellation.check()
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer.bytes[..<Int(min(Int64(buffer.bytes.count), file.size - done))])
            try unsafe fill(piece, file, at: done)
            unsafe checksum.update(UnsafeRawBufferPointer(piece))
            unsafe hash.update(UnsafeRawBufferPointer(piece))
            done += Int64(piece.count)
        }
        return (checksum.value, hash.finalize())
    }

    private func readTogether(_ file: FileSource, _ report: () throws -> Void) throws -> (UInt32, [UInt8]) {
        let chunkSize = Int64(OrderedChunks.chunkSize)
        let checksums = Mutex(
            Array(repeating: Checksum(), count: Int((file.size + chunkSize - 1) / chunkSize)))
        let hash = SharedDigest()
        try unsafe OrderedChunks.run(
            size: file.size,
            before: { chunk, offset in
                try unsafe fill(chunk, file, at: offset)
                let checksum = unsafe Checksum(UnsafeRawBufferPointer(chunk))
                checksums.withLock { $0[Int(offset / chunkSize)] = checksum }
            },
            ordered: { unsafe hash.add(UnsafeRawBufferPointer($0)) },
            report: { _ in try report() })
        let checksum = checksums.withLock { $0.reduce(into: Checksum()) { $0.append($1) } }
        return (checksum.value, hash.finish())
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ file: FileSource, at offset: Int64
    ) throws {
        guard try unsafe file.read(into: buffer, at: offset) == buffer.count else {
            throw Self.changed(file.path)
        }
        state.done.add(Int64(buffer.count), ordering: .relaxed)
    }
}
