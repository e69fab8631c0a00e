import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures

/// Removes manifests and chunks that no file of a store uses, after consent. What was stored or changed in the last day at least
/// stays: a run may be about to refer to it.
package struct CollectStore: Operation {
    package var store: StoreInput
    /// What is younger than this stays; a day at least. In seconds.
    package var grace = CollectionRules.leastGrace
    /// Deleted files stay for this time, in seconds, and can be brought back; nil to keep all of them.
    package var trashAge: Int64?
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ store: StoreInput) { self.store = store }

    /// - Throws: `ContentStoreError`: `invalid` for less than a day, `unsupported` where nothing tells what is used, and
    ///   whatever is wrong with an entry or a manifest; `StorageError`.
    package func plan(in context: OperationContext) async throws -> PlannedCollection {
        let rules = try CollectionRules(grace: grace, trashAge: trashAge)
        return try await store.opened(in: context) { store, progress in
            planned(try look(store, rules, progress))
        }
    }

    /// - Throws: as ``plan(in:)``.
    package func run(in context: OperationContext) async throws -> CollectedStore {
        let rules = try CollectionRules(grace: grace, trashAge: trashAge)
        return try await store.opened(in: context) { store, progress in
            let plan = try look(store, rules, progress)
            let planned = planned(plan)
            if planned.isEmpty { return CollectedStore(planned) }
            try context.require(
                whileBlocking: .collectStore(planned),
                unasked: .unasked("removing objects", subject: self.store.address.text))
            let report = try plan.run(now: clock) { try Self.tell($0, $1, $2, progress) }
            return CollectedStore(planned, report)
        }
    }

    private func look(
        _ store: ContentStore, _ rules: CollectionRules, _ progress: ProgressHandler
    ) throws -> CollectionPlan {
        try StoreCollection(store, rules, now: clock).plan { try Self.tell($0, $1, $2, progress) }
    }

    private func planned(_ plan: CollectionPlan) -> PlannedCollection {
        PlannedCollection(place: store.address.absoluteText, grace: grace, plan)
    }

    private static func tell(
        _ stage: CollectionStage, _ done: Int64, _ total: Int64?, _ progress: ProgressHandler
    ) throws {
        try progress(OperationProgress(stage.activity, completed: done, total: total, unit: .items))
    }
}

extension CollectionStage {
    fileprivate var activity: String {
        switch self {
        case .entries: "reading index entries"
        case .manifests: "reading manifests"
        case .chunks: "listing chunks"
        case .removing: "removing objects"
        }
    }
}

/// What a collection would remove.
public struct PlannedCollection: OperationReport {
    /// Objects of one kind.
    package struct Objects: Sendable, Encodable, Equatable {
        package let count: Int
        /// In bytes.
        package let size: Int64

        fileprivate init(_ objects: [CollectionPlan.Object]) {
            count = objects.count
            size = objects.reduce(0) { $0 &+ $1.size }
        }
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// What is younger than this stays. In seconds.
    package let grace: Int64
    package let chunks: Objects
    package let manifests: Objects
    /// Copies of entries of deleted files.
    package let trash: Objects
    /// Unused objects that stay because they are young.
    package let young: Int
    /// All chunks of the store.
    package let storedChunks: Int
    /// Whether there is nothing to remove.
    package let isEmpty: Bool
    /// Of all that would be removed, in bytes.
    package let freed: Int64

    init(place: String, grace: Int64, _ plan: CollectionPlan) {
        self.place = place
        self.grace = grace
        chunks = Objects(plan.chunks)
        manifests = Objects(plan.manifests)
        trash = Objects(plan.trash)
        young = plan.young
        storedChunks = plan.storedChunks
        isEmpty = plan.isEmpty
        freed = plan.bytes
    }
}

/// What a collection removed.
package struct CollectedStore: OperationReport {
    /// As it was planned.
    package let plan: PlannedCollection
    package let removedChunks: Int
    package let removedManifests: Int
    /// Copies of entries of deleted files.
    package let removedCopies: Int
    /// In bytes.
    package let freed: Int64
    /// What was planned and stays: it is used by now, was stored again, or is gone.
    package let spared: Int

    /// - Parameter report: nil where nothing was removed.
    init(_ plan: PlannedCollection, _ report: CollectionReport? = nil) {
        self.plan = plan
        removedChunks = report?.removedChunks ?? 0
        removedManifests = report?.removedManifests ?? 0
        removedCopies = report?.removedCopies ?? 0
        freed = report?.removedBytes ?? 0
        spared = report?.spared ?? 0
    }
}
