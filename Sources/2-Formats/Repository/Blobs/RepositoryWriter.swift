import Synchronization
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// Adds blobs to a repository, from several threads.
///
/// Order of writing: packs, then the index that names them, then whatever names their blobs. An index is written about once a
/// minute, and where the work fails; who is killed leaves packs that no index names, which ``PackAdoption`` finds.
package final class RepositoryWriter: Sendable {
    package let repository: Repository
    private let state = Mutex(State())
    private let isStored: @Sendable (ContentID, BlobKind) -> Bool
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
        /// The packs of `index`.
        var packs: [ContentID] = []
        /// Packs that no stored index names yet, with what has to be settled before one may.
        var unindexed: [ContentID: (any UnsettledFile)?] = [:]
        /// Why something that was claimed is not stored.
        var failure: (any Error)?
        var totals = WrittenTotals()

        mutating func takeIndex() -> (IndexEncoder, [ContentID]) {
            defer { (index, indexBegun, packs) = (IndexEncoder(), nil, []) }
            return (index, packs)
        }
    }

    /// An index file is written when its first pack is so old.
    private static let indexAge: Duration = .seconds(60)

    package convenience init(
        _ repository: Repository, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(repository, isStored: { repository.contains($0, $1) }, clock: clock)
    }

    /// - Parameter isStored: whether a blob need not be stored; another answer than that of the index for who stores blobs anew.
    init(
        _ repository: Repository, isStored: @escaping @Sendable (ContentID, BlobKind) -> Bool,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.repository = repository
        self.isStored = isStored
        self.clock = clock
    }

    deinit {
        // Whoever uses the repository next must not count on packs that no index names.
        let unindexed = state.withLock { $0.unindexed }
        guard !unindexed.isEmpty else { return }
        repository.forget(Set(unindexed.keys))
        for pack in unindexed.values { pack?.abandon() }
    }

    /// What was written until now.
    package var totals: WrittenTotals { state.withLock { $0.totals } }

    // MARK: Blobs

    /// Takes a blob on: true where it is neither stored nor taken on by anybody, so that the caller has to store it.
    func claim(_ id: ContentID, _ kind: BlobKind) -> Bool {
        state.withLock { state in
            // Under the lock: between both questions another thread may store it.
            guard !isStored(id, kind) else { return false }
            return state.claimed.insert(Claim(id: id, kind: kind)).inserted
        }
    }

    /// Gives a claim back.
    func unclaim(_ id: ContentID, _ kind: BlobKind) {
        state.withLock { _ = $0.claimed.remove(Claim(id: id, kind: kind)) }
    }

    /// What was claimed cannot be stored: nothing that is named after this may be counted on.
    func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Stores a pack, and an index from time to time.
    /// - Parameter verify: throws where the pack is not what it should be; then nobody gets to see it.
    func store(_ pack: FinishedPack, verifying verify: () throws -> Void) throws {
        let indexed = try IndexedPack(pack.id, pack.blobs)
        let size = Int64(pack.bytes.count)
        let unsettled = try put(pack, verify)
        try repository.add(indexed)
        let now = clock()
        let full: (IndexEncoder, [ContentID])? = state.withLock { state in
            state.totals.add(indexed, size: size)
            for blob in indexed.blobs { state.claimed.remove(Claim(id: blob.id, kind: blob.kind)) }
            state.index.append(indexed)
            state.packs.append(indexed.id)
            state.unindexed[indexed.id] = .some(unsettled)
            let begun = state.indexBegun ?? now
            state.indexBegun = begun
            guard state.index.isFull || now - begun >= Self.indexAge else { return nil }
            return state.takeIndex()
        }
        if let (index, packs) = full { try save(index, packs) }
    }

    private func put(
        _ pack: FinishedPack, _ verify: () throws -> Void
    ) throws -> (any UnsettledFile)? {
        let (store, name, bytes) = (repository.store, pack.name, pack.bytes)
        guard store.writesBehind else {
            try verify()
            return try store.putBehind(name, bytes)
        }
        // It has its name when it is settled: until then the disk can work already.
        let writing = BackgroundTask { _ in try store.putBehind(name, bytes) }
        do {
            try verify()
        } catch {
            try? writing.value()?.abandon()
            throw error
        }
        return try writing.value()
    }

    /// Writes the index of what is stored; afterwards a snapshot may name it. All blobs must have been flushed.
    /// - Throws: ``RepositoryError``: `invalid` where blobs were not flushed; `StorageError`; the first failure to store
    ///   something, each time: there is no way to go on after it but a new writer.
    package func flushIndex() throws {
        let (failure, claimed) = state.withLock { ($0.failure, $0.claimed.count) }
        if let failure { throw failure }
        guard claimed == 0 else {
            throw RepositoryError(
                .invalid, "\(Count.text(claimed, "blob")) were not flushed", repository.store.location)
        }
        try keep()
    }

    /// Writes the index of what is stored by now, though more was to come: for whoever gives up, so that the next one finds it.
    /// - Throws: ``RepositoryError``; `StorageError`.
    package func keep() throws {
        if let (index, packs) = state.withLock({ $0.index.count > 0 ? $0.takeIndex() : nil }) {
            try save(index, packs)
        }
    }

    private func save(_ index: IndexEncoder, _ packs: [ContentID]) throws {
        do {
            for file in state.withLock({ state in packs.compactMap { state.unindexed[$0] ?? nil } }) {
                try file.settle()
            }
            try repository.save(.index, index.finish())
            state.withLock { state in for pack in packs { state.unindexed[pack] = nil } }
        } catch {
            fail(error)
            throw error
        }
    }
}

/// What a run added to a repository.
package struct WrittenTotals: Sendable, Equatable {
    package var dataBlobs = 0
    package var treeBlobs = 0
    /// Content, in bytes.
    package var contentSize: Int64 = 0
    /// Packs as they are stored, in bytes.
    package var storedSize: Int64 = 0
    package var packs = 0

    mutating func add(_ pack: IndexedPack, size: Int64) {
        packs += 1
        storedSize += size
        for blob in pack.blobs {
            if blob.kind == .data { dataBlobs += 1 } else { treeBlobs += 1 }
            contentSize += Int64(blob.uncompressedLength ?? blob.length - UInt32(SealingContext.overhead))
        }
    }
}
