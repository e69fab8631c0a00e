import Synchronization
import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// Adds blobs to a repository, from several threads.
///
/// Order of writing: packs, then the index that names them, then whatever names their blobs. A pack that no index names is
/// garbage that the next prune removes, so an index is written about once a minute: who is killed loses little, and the next
/// run finds what is stored already.
package final class RepositoryWriter: Sendable {
    package let repository: Repository
    private let state = Mutex(State())
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// A piece of a file may have the bytes of a tree.
    private struct Claim: Hashable {
        let id: ContentID
        let kind: BlobKind
    }

    private struct State {
        /// What threads are about to store.
        var claimed: Set<Claim> = []
        var index = IndexEncoder()
        var indexBegun: ContinuousClock.Instant?
        var totals = WrittenTotals()

        mutating func takeIndex() -> IndexEncoder {
            defer { (index, indexBegun) = (IndexEncoder(), nil) }
            return index
        }
    }

    /// An index file is written when its first pack is so old.
    private static let indexAge: Duration = .seconds(60)

    package init(
        _ repository: Repository, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.repository = repository
        self.clock = clock
    }

    /// What was written until now.
    package var totals: WrittenTotals { state.withLock { $0.totals } }

    // MARK: Blobs

    /// Takes a blob on: true where it is neither stored nor taken on by anybody, so that the caller has to store it.
    func claim(_ id: ContentID, _ kind: BlobKind) -> Bool {
        guard !repository.contains(id, kind) else { return false }
        return state.withLock { $0.claimed.insert(Claim(id: id, kind: kind)).inserted }
    }

    /// Stores a pack, and an index from time to time.
    func store(_ pack: consuming FinishedPack) throws {
        let indexed = try IndexedPack(pack.id, pack.blobs)
        let size = Int64(pack.bytes.count)
        try repository.store.put(pack.name, pack.bytes)
        try repository.add(indexed)
        let now = clock()
        let full: IndexEncoder? = state.withLock { state in
            state.totals.add(indexed, size: size)
            for blob in indexed.blobs { state.claimed.remove(Claim(id: blob.id, kind: blob.kind)) }
            state.index.append(indexed)
            let begun = state.indexBegun ?? now
            state.indexBegun = begun
            guard state.index.isFull || now - begun >= Self.indexAge else { return nil }
            return state.takeIndex()
        }
        if let full { try save(full) }
    }

    /// Writes the index of what is stored; afterwards a snapshot may name it. All blobs must have been flushed.
    /// - Throws: ``RepositoryError``; `StorageError`.
    package func flushIndex() throws {
        if let rest = state.withLock({ $0.index.count > 0 ? $0.takeIndex() : nil }) { try save(rest) }
    }

    private func save(_ index: IndexEncoder) throws { try repository.save(.index, index.finish()) }
}

/// What a run added to a repository.
package struct WrittenTotals: Sendable, Equatable {
    package var dataBlobs = 0
    package var treeBlobs = 0
    /// Content, in bytes.
    package var plainSize: Int64 = 0
    /// Packs as they are stored, in bytes.
    package var storedSize: Int64 = 0
    package var packs = 0

    mutating func add(_ pack: IndexedPack, size: Int64) {
        packs += 1
        storedSize += size
        for blob in pack.blobs {
            if blob.kind == .data { dataBlobs += 1 } else { treeBlobs += 1 }
            plainSize += Int64(blob.uncompressedLength ?? blob.length - UInt32(SealingContext.overhead))
        }
    }
}
