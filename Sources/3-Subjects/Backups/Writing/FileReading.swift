import Synchronization
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Reads files and stores their pieces, on all cores, large ones by several threads. A file that cannot be read is no reason to
/// stop; a repository that cannot be written is.
struct FileReading {
    /// A file that has to be read.
    final class File: Sendable {
        let entry: AccountEntry
        private let node: TreeNode
        /// A part of what is read at once, in bytes.
        fileprivate let pieceSize: Int
        fileprivate let list: ContentList
        private let state = Mutex(State())

        private struct State {
            var failure: (any Error)?
            var size: Int64 = 0
        }

        init(_ entry: AccountEntry, _ node: TreeNode, pieceSize: Int) {
            self.entry = entry
            self.node = node
            self.pieceSize = pieceSize
            list = ContentList(count: 0)
        }

        fileprivate func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }
        fileprivate var hasFailed: Bool { state.withLock { $0.failure != nil } }
        fileprivate func read(_ count: Int) { state.withLock { $0.size += Int64(count) } }

        /// The entry of the snapshot, once all threads are done.
        var result: Result<TreeNode, any Error> {
            let (failure, size) = state.withLock { ($0.failure, $0.size) }
            if let failure { return .failure(failure) }
            var node = node
            node.content = list.ids
            node.size = UInt64(clamping: size)
            return .success(node)
        }
    }

    /// Some pieces of a file that one thread reads.
    private struct Part {
        let file: Int
        let range: Range<Int64>
    }

    private let files: [File]
    private let source: SnapshotSource
    private let intake: BlobIntake
    private let cutting: SnapshotOptions.Cutting
    private let parts: [Part]

    /// Of most files, in bytes. So much is read at once.
    static let pieceSize = 1 << 20
    /// Of an own thread.
    private static let partSize: Int64 = 8 << 20

    init(_ files: [File], _ source: SnapshotSource, _ intake: BlobIntake, cutting: SnapshotOptions.Cutting) {
        self.files = files
        self.source = source
        self.intake = intake
        self.cutting = cutting
        var parts: [Part] = []
        for (number, file) in files.enumerated() where file.entry.size > 0 {
            let size = file.entry.size
            // What is packed is unpacked from its beginning.
            let isWhole = cutting == .asRestic || file.entry.packed != nil
            if !isWhole {
                let pieceSize = Int64(file.pieceSize)
                file.list.makePlaces(Int((size + pieceSize - 1) / pieceSize))
            }
            let partSize = isWhole ? size : Self.partSize
            for start in stride(from: 0, to: size, by: Int(partSize)) {
                parts.append(Part(file: number, range: start..<min(size, start + partSize)))
            }
        }
        self.parts = parts
    }

    /// What one thread has.
    private final class Desk {
        /// In the large pages that databases were read into.
        let buffer = TransferBuffer(byteCount: pieceSize)
        var chunker: RabinChunker?

        init(_ chunker: RabinChunker?) { self.chunker = chunker }

        deinit { unsafe SecretMemory.wipe(buffer.bytes) }
    }

    /// - Parameters:
    ///   - polynomial: of the repository, for cutting as restic does.
    ///   - progress: bytes that were read, of how many; throw to stop.
    /// - Throws: `RepositoryError`; `StorageError`; whatever `progress` throws.
    func run(polynomial: UInt64, progress: (Int64, Int64) throws -> Void) throws {
        let total = files.reduce(0) { $0 + $1.entry.size }
        let done = Atomic<Int64>(0)
        let chunker = cutting == .asRestic ? RabinChunker(polynomial: polynomial) : nil
        try ParallelBatches.run(count: parts.count, workers: ParallelBatches.waitingWorkers) {
            Desk(chunker)
        } work: { desk, number in
            let part = parts[number]
            let file = files[part.file]
            if !file.hasFailed { try read(file, part.range, desk) }
            done.add(part.range.upperBound - part.range.lowerBound, ordering: .relaxed)
        } report: { _ in
            try progress(done.load(ordering: .relaxed), total)
        }
    }

    private func read(_ file: File, _ range: Range<Int64>, _ desk: Desk) throws {
        let source: any ByteSource
        do {
            source = try self.source.source(of: file.entry)
        } catch {
            return file.fail(error)
        }
        if desk.chunker != nil { return try cut(file, source, desk) }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
            let count = Int(min(Int64(Self.pieceSize), range.upperBound - start))
            let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: desk.buffer.bytes[..<count])
            do {
                try unsafe source.fill(memory, at: start)
            } catch {
                return file.fail(error)
            }
            let piece = UnsafeRawBufferPointer(memory)
            let compresses = unsafe Self.isCompressible(piece)
            if file.entry.packed == nil {
                try unsafe intake.save(
                    piece, inPiecesOf: file.pieceSize, compresses: compresses, to: file.list,
                    from: Int(start / Int64(file.pieceSize)))
            } else {
                let (id, isNew) = try unsafe intake.save(piece, compresses: compresses)
                file.list.append(id, isNew: isNew)
            }
            file.read(count)
        }
    }

    /// Bytes from all over the piece tell whether it is encrypted or compressed already.
    private static func isCompressible(_ piece: UnsafeRawBufferPointer) -> Bool {
        let sampleSize = 1024
        guard piece.count > 8 * sampleSize else {
            return unsafe Compressibility.isWorthwhile(Array(piece))
        }
        var sample: [UInt8] = []
        sample.reserveCapacity(8 * sampleSize)
        for number in 0..<8 {
            let start = (piece.count - sampleSize) / 7 * number
            unsafe sample.append(contentsOf: piece[start..<start + sampleSize])
        }
        return Compressibility.isWorthwhile(sample)
    }

    /// The same pieces as restic's.
    private func cut(_ file: File, _ source: any ByteSource, _ desk: Desk) throws {
        var chunk: [UInt8] = []
        var offset: Int64 = 0
        func save() throws {
            guard !chunk.isEmpty else { return }
            let (id, isNew) = try unsafe chunk.withUnsafeBytes {
                try unsafe intake.save($0, compresses: Self.isCompressible($0))
            }
            file.list.append(id, isNew: isNew)
            chunk.removeAll(keepingCapacity: true)
        }
        desk.chunker?.finish()
        while offset < source.size {
            let count = Int(min(Int64(Self.pieceSize), source.size - offset))
            let piece: [UInt8]
            do {
                piece = try source.bytes(at: offset, upTo: count)
                guard piece.count == count else {
                    throw FileError(.failed, "file shrank while being read", source.path)
                }
            } catch {
                return file.fail(error)
            }
            offset += Int64(count)
            file.read(count)
            var start = 0
            while start < piece.count {
                guard let end = desk.chunker?.cut(piece.span.extracting(start..<piece.count)) else { break }
                chunk += piece[start..<start + end]
                try save()
                start += end
            }
            chunk += piece[start...]
        }
        try save()
    }
}
