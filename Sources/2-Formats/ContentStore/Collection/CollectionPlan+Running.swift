import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

extension CollectionPlan {
    /// So many objects are removed before it is looked again what is used.
    private static let round = 2000

    /// Removes what was planned, in the order copies, manifests, chunks: at any moment whatever is named is stored.
    ///
    /// Before each round it is looked again what files use, and before each removal whether the object still is what was planned:
    /// what somebody stored again meanwhile stays.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - progress: throw to stop; the next plan has the rest.
    /// - Throws: as ``StoreCollection/plan(_:)``; ``ContentStoreError``: `invalid` for a plan that is older than its grace.
    package func run(
        now: @escaping @Sendable () -> Int64, _ progress: CollectionProgress = { _, _, _ in }
    ) throws -> CollectionReport {
        guard now() - time <= rules.grace else {
            throw ContentStoreError(
                .invalid, "the plan is older than what it removes may be. Nothing was removed.",
                store.location)
        }
        let collection = StoreCollection(store, rules, now: now)
        let report = Mutex(CollectionReport())
        let total = Int64(trash.count + manifests.count + chunks.count)
        var done: Int64 = 0
        for (objects, kind) in [(trash, Kind.copy), (manifests, .manifest), (chunks, .chunk)] {
            for start in stride(from: 0, to: objects.count, by: Self.round) {
                try lookAgain(collection, progress)
                let round = Array(objects[start..<min(start + Self.round, objects.count)])
                try ParallelBatches.run(count: round.count, workers: store.rules.chunksInFlight) {
                } work: { _, number in
                    let isRemoved = try remove(round[number], kind)
                    report.withLock { $0.add(round[number], kind, isRemoved) }
                } report: {
                    try progress(.removing, done + Int64($0), total)
                }
                done += Int64(round.count)
            }
        }
        return report.withLock { $0 }
    }

    enum Kind: Sendable {
        case copy
        case manifest
        case chunk
    }

    /// Entries that are new or have changed, and new manifests, which somebody is about to name.
    private func lookAgain(_ collection: StoreCollection, _ progress: CollectionProgress) throws {
        try collection.addEntries(to: used, progress)
        try store.objects.list(store.layout.manifests, isDelimited: false, after: nil) { listed in
            guard case .object(let key, _) = listed, let name = store.layout.manifest(at: key),
                !used.hasSeen(manifest: name)
            else { return true }
            try collection.addFound(key, name, to: used)
            return true
        }
    }

    /// - Returns: false for what stays.
    private func remove(_ object: Object, _ kind: Kind) throws -> Bool {
        switch kind {
        case .copy: break
        case .manifest:
            guard let name = store.layout.manifest(at: object.key), !used.contains(manifest: name) else {
                return false
            }
        case .chunk:
            guard let name = store.layout.chunk(at: object.key), !used.contains(chunk: name) else {
                return false
            }
        }
        guard let found = try store.objects.attributes(of: object.key), found.version == object.version,
            found.modified == object.modified
        else { return false }
        try store.objects.remove(object.key)
        return true
    }
}

extension CollectionReport {
    fileprivate mutating func add(
        _ object: CollectionPlan.Object, _ kind: CollectionPlan.Kind, _ isRemoved: Bool
    ) {
        guard isRemoved else {
            spared += 1
            return
        }
        removedBytes += object.size
        switch kind {
        case .copy: removedCopies += 1
        case .manifest: removedManifests += 1
        case .chunk: removedChunks += 1
        }
    }
}
