import Synchronization
import ValiseStorage

/// Savers of blobs, each for one thread at a time.
final class SaverPool: Sendable {
    /// What is in the lock leaves it only for as long as the lock is held.
    private final class Holder: Sendable {
        let saver: Mutex<BlobSaver>

        init(_ saver: consuming sending BlobSaver) { self.saver = Mutex(saver) }
    }

    private let writer: RepositoryWriter
    private let free = Mutex<[BlobKind: [Holder]]>([:])

    init(_ writer: RepositoryWriter) { self.writer = writer }

    /// Stores a blob.
    /// - Throws: ``RepositoryError``; `StorageError`.
    @discardableResult
    func save(_ content: [UInt8], _ kind: BlobKind, compresses: Bool = true) throws -> ContentID {
        let holder = try free.withLock { $0[kind]?.popLast() } ?? Holder(BlobSaver(writer, kind))
        defer { free.withLock { $0[kind, default: []].append(holder) } }
        return try holder.saver.withLock { saver throws in
            try saver.save(content, compresses: compresses)
        }
    }

    /// Stores all packs that are begun, then the index.
    /// - Throws: ``RepositoryError``; `StorageError`.
    func finish() throws {
        for holder in free.withLock({ $0.values.flatMap(\.self) }) {
            try holder.saver.withLock { saver throws in try saver.flush() }
        }
        try writer.flushIndex()
    }
}
