import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

extension Repository {
    /// Reads all index files; what was known before is forgotten.
    ///
    /// - Parameters:
    ///   - damaged: is told of files that cannot be read; without them, blobs seem to be missing.
    ///   - progress: how many files of how many were read; throw to stop.
    /// - Throws: `StorageError`; whatever a closure throws.
    package func loadIndex(
        damaged: (any Error) throws -> Void, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        table.withLock { $0 = BlobTable() }
        // What is gone when it is read was replaced by other files: a prune runs beside us.
        var known: Set<ContentID> = []
        for _ in 0..<Self.mostRounds {
            let files = try store.list(.index).filter { known.insert($0.id).inserted }
            guard try !load(files, damaged: damaged, progress) else { return }
        }
        throw RepositoryError(.failed, "the index changes while it is read", store.location)
    }

    private static let mostRounds = 5

    /// What comes of an index file.
    private enum Loaded: Sendable {
        case pack(IndexedPack)
        case end
        /// The file is not there any more.
        case gone
        case problem(RepositoryError)
    }

    /// Each has ten megabytes of JSON in memory, for which there is no room beside a table of millions of blobs.
    private static let mostLoaders = 4
    /// In bytes: a blob takes some 75 of them.
    private static let largeIndex: Int64 = 128 << 20

    /// - Returns: whether all of them were there.
    private func load(
        _ files: [(id: ContentID, size: Int64)], damaged: (any Error) throws -> Void,
        _ progress: (Int, Int) throws -> Void
    ) throws -> Bool {
        var isComplete = true
        var problems: [RepositoryError] = []
        var done = 0
        try progress(done, files.count)
        let isLarge = files.reduce(0) { $0 + $1.size } > Self.largeIndex
        let loaders = isLarge ? 1 : min(Self.mostLoaders, ParallelBatches.waitingWorkers)
        let names = files.map(\.id)
        // The table grows on one thread: what several allocate comes from several heaps, none of which gives to the others.
        try ReadAhead.run { hand in
            try withoutActuallyEscaping(hand) { hand in
                try ParallelBatches.run(count: names.count, workers: loaders) {
                } work: { _, number in
                    try self.load(names[number], hand)
                }
            }
        } _: { loaded in
            switch loaded {
            case .pack(let pack):
                _ = try table.withLock { table throws in try table.add(pack, settles: false) }
            case .gone: isComplete = false
            case .problem(let problem): problems.append(problem)
            case .end: break
            }
            if case .pack = loaded { return }
            done += 1
            try progress(done, files.count)
        }
        table.withLock { $0.settle() }
        for problem in problems { try damaged(problem) }
        return isComplete
    }

    private func load(_ file: ContentID, _ hand: (Loaded) throws -> Void) throws {
        do {
            try IndexRecord.read(document(.index, file)) { pack in
                if !pack.isMarked { try hand(.pack(pack)) }
            }
        } catch let error as RepositoryError {
            return try hand(.problem(error.naming(.file(.index, file))))
        } catch let error as StorageError where error.code == .notFound {
            return try hand(.gone)
        }
        try hand(.end)
    }

    /// Makes the blobs of a pack known that was stored.
    func add(_ pack: IndexedPack) throws { _ = try table.withLock { table throws in try table.add(pack) } }
}
