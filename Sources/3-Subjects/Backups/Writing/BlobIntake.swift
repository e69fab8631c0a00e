import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Where all threads of a run bring pieces of files.
///
/// Digests are computed by whoever brings something; only what is new needs a saver, which has a pack. The one that was used last
/// is used next, so that few changes make few packs.
final class BlobIntake: Sendable {
    /// A saver is in the list of free ones, or with the one thread that took it.
    private final class SaverBox: Sendable {
        /// Never waited for: see above.
        let saver: Mutex<BlobSaver>

        init(_ writer: RepositoryWriter) throws {
            let saver = try BlobSaver(writer, .data)
            self.saver = Mutex(saver)
        }
    }

    /// What a dry run would store.
    private struct Estimate {
        var ids: Set<ContentID> = []
        var size: Int64 = 0
    }

    private let repository: Repository
    /// Nil in a dry run.
    let writer: RepositoryWriter?
    private let free = Mutex<[SaverBox]>([])
    private let places: Gate
    private let estimate = Mutex(Estimate())

    /// Each has a pack in memory.
    private static let mostSavers = 4

    init(_ repository: Repository, isDryRun: Bool) {
        self.repository = repository
        writer = isDryRun ? nil : RepositoryWriter(repository)
        // While one waits for a disk or a server, another one works.
        places = Gate(open: min(Self.mostSavers, ParallelBatches.workers + 1))
    }

    /// Stores a piece, unless it is stored.
    /// - Throws: `RepositoryError`; `StorageError`.
    func save(
        _ piece: UnsafeRawBufferPointer, compresses: Bool
    ) throws -> (id: ContentID, isNew: Bool) {
        let id = try unsafe ContentID(hashing: piece)
        guard !repository.contains(id, .data) else { return (id, false) }
        guard let writer else {
            return (id, note(id, size: piece.count))
        }
        places.wait()
        defer { places.signal() }
        let box = try free.withLock { $0.popLast() } ?? SaverBox(writer)
        defer { free.withLock { $0.append(box) } }
        let isNew = try box.saver.withLock { saver throws in
            try unsafe saver.save(piece, id: id, compresses: compresses)
        }
        return (id, isNew)
    }

    /// - Returns: whether it is new.
    func note(_ id: ContentID, size: Int) -> Bool {
        estimate.withLock { estimate in
            guard estimate.ids.insert(id).inserted else { return false }
            estimate.size += Int64(size)
            return true
        }
    }

    /// What a dry run would store.
    var estimated: (blobs: Int, size: Int64) { estimate.withLock { ($0.ids.count, $0.size) } }

    /// Stores what is begun. Nothing may be brought any more.
    /// - Throws: `RepositoryError`; `StorageError`; whatever `progress` throws.
    func finish(progress: () throws -> Void) throws {
        let boxes = free.withLock { boxes in
            defer { boxes = [] }
            return boxes
        }
        try ParallelBatches.run(count: boxes.count, workers: Self.mostSavers) {
        } work: { _, number in
            try boxes[number].saver.withLock { saver throws in try saver.flush() }
        } report: { _ in
            try progress()
        }
    }
}
