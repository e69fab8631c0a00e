import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// Puts packs into the index that a run stored which ended before it could: nothing of them is stored a second time.
///
/// Only packs that are whole by their digest, and that have something which the index lacks. What rustic marked for removal stays
/// marked: it is going to remove it.
package struct PackAdoption: Sendable {
    package private(set) var packs = 0
    /// In bytes.
    package private(set) var size: Int64 = 0

    /// Those that are in no index file yet.
    private struct Pending {
        var index = IndexEncoder()
        var ids: [ContentID] = []
        var done = PackAdoption()
    }

    /// Adopts what is there.
    ///
    /// - Parameters:
    ///   - repository: its index is loaded.
    ///   - lock: of it.
    /// - Throws: ``RepositoryError`` where the lock is lost; `StorageError`; whatever `progress` throws.
    package static func run(
        _ repository: Repository, under lock: RepositoryLock,
        _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> PackAdoption {
        let unknown = try StoredPacks(repository.store).files.filter { file in
            !repository.table.withLock { $0.hasPack(file.id) }
        }
        guard !unknown.isEmpty, let marked = try marked(repository, progress) else { return PackAdoption() }
        let candidates = unknown.filter { !marked.contains($0.id) }
        let pending = Mutex(Pending())
        do {
            try ParallelBatches.run(count: candidates.count) {
            } work: { _, number in
                try lock.check()
                let (id, size) = candidates[number]
                guard let pack = try whole(id, size: size, repository) else { return }
                try pending.withLock { pending throws in
                    pending.index.append(pack)
                    pending.ids.append(id)
                    pending.done.packs += 1
                    pending.done.size += size
                    try repository.add(pack)
                    if pending.index.isFull { try save(&pending, repository, lock) }
                }
            } report: {
                try progress(.strays, Int64($0), Int64(candidates.count))
            }
            return try pending.withLock { pending throws in
                if pending.index.count > 0 { try save(&pending, repository, lock) }
                return pending.done
            }
        } catch {
            repository.forget(pending.withLock { $0.ids })
            throw error
        }
    }

    private static func save(
        _ pending: inout Pending, _ repository: Repository, _ lock: RepositoryLock
    ) throws {
        // Who took the repository meanwhile may have removed them.
        try lock.confirm()
        try repository.save(.index, pending.index.finish())
        (pending.index, pending.ids) = (IndexEncoder(), [])
    }

    /// What rustic marked for removal; nil where an index file cannot be read: it may name any pack.
    private static func marked(
        _ repository: Repository, _ progress: MaintenanceProgress
    ) throws -> Set<ContentID>? {
        let files = try repository.store.list(.index)
        var marked: Set<ContentID> = []
        for (number, file) in files.enumerated() {
            try progress(.index, Int64(number), Int64(files.count))
            do {
                for pack in try StoredIndex.packs(of: file.id, repository) where pack.isMarked {
                    marked.insert(pack.id)
                }
            } catch  where Repository.isOfFile(error) {
                return nil
            }
        }
        return marked
    }

    /// Nil for a pack that is not whole, or of no use.
    private static func whole(_ id: ContentID, size: Int64, _ repository: Repository) throws -> IndexedPack? {
        do {
            let blobs = try repository.header(of: id, size: size)
            guard blobs.contains(where: { !repository.contains($0.id, $0.kind) }) else { return nil }
            let found = try PackInspection.run(repository, id, size: size, BlobTable()) { _ in }
            return found.isDigestRight ? try IndexedPack(id, blobs) : nil
        } catch  where Repository.isOfFile(error) {
            return nil
        }
    }
}
