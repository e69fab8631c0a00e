import Synchronization
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
import ValiseStorage

/// What a collection is busy with.
package enum CollectionStage: String, Sendable, CaseIterable {
    /// Index entries with their manifests.
    case entries
    case manifests
    case chunks
    case removing
}

/// Is told how much of a stage is done; throw to stop. The total is nil where nobody knows it.
package typealias CollectionProgress = (CollectionStage, _ done: Int64, _ total: Int64?) throws -> Void

/// Finds manifests and chunks that no file of a store uses, and have not been touched for a day at least.
///
/// Where anything cannot be read that may name chunks, nothing is planned: what it names would be lost.
package struct StoreCollection: Sendable {
    let store: ContentStore
    let rules: CollectionRules
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - store: needs no key.
    ///   - rules: what is removed.
    ///   - now: seconds since 1970.
    package init(_ store: ContentStore, _ rules: CollectionRules, now: @escaping @Sendable () -> Int64) {
        self.store = store
        self.rules = rules
        self.now = now
    }

    /// Makes the plan. Nothing is changed.
    ///
    /// - Throws: ``ContentStoreError``: `unsupported` for a store without an index, of which nobody knows what is used; whatever
    ///   is wrong with an entry or a manifest; `StorageError`; whatever `progress` throws.
    package func plan(_ progress: CollectionProgress = { _, _, _ in }) throws -> CollectionPlan {
        let began = now()
        let used = UsedObjects()
        try addEntries(to: used, progress)
        guard used.entryCount > 0 else {
            throw ContentStoreError(
                .unsupported,
                "the store has no index, so nothing tells which chunks are used. Nothing was removed.",
                store.location)
        }
        var plan = CollectionPlan(store: store, rules: rules, used: used, time: began)
        try addTrash(to: used, &plan, progress)
        try addManifests(to: used, &plan, progress)
        try addChunks(used, &plan, progress)
        return plan
    }

    private func isOld(_ attributes: ObjectAttributes, _ age: Int64, _ time: Int64) -> Bool {
        attributes.modified <= time - age
    }

    // MARK: What is used

    /// Entries in any state: what is pending is used as what is current.
    func addEntries(to used: UsedObjects, _ progress: CollectionProgress) throws {
        var done: Int64 = 0
        var waiting: [(path: StorePath, version: ObjectVersion)] = []
        func flush() throws {
            let paths = waiting
            waiting = []
            try ParallelBatches.run(count: paths.count, workers: store.rules.chunksInFlight) {
            } work: { _, number in
                try add(paths[number].path, paths[number].version, to: used)
            } report: {
                try progress(.entries, done + Int64($0), nil)
            }
            done += Int64(paths.count)
        }
        try store.list(isRecursive: true) { item in
            switch item {
            case .folder: return true
            case .unusable(let key):
                throw ContentStoreError(
                    .unsupported,
                    "an index entry has no valid path, and may name chunks. Nothing was removed.", key)
            case .entry(let path, let attributes): waiting.append((path, attributes.version))
            }
            if waiting.count == 256 { try flush() }
            return true
        }
        if !waiting.isEmpty { try flush() }
    }

    private func add(_ path: StorePath, _ version: ObjectVersion, to used: UsedObjects) throws {
        // Read before, and still the same.
        guard try used.add(entry: path, version) else { return }
        guard let stored = try store.object(store.layout.entry(path), most: IndexEntry.mostBytes) else {
            return
        }
        switch try store.entry(stored.content, path) {
        case .deleted: break
        case .committed(let item): try add(item, path.text, to: used)
        case .preparing(let current, let pending):
            if let current { try add(current, path.text, to: used) }
            guard let manifest = try store.pendingManifest(pending, at: path) else {
                used.add(manifest: pending.item.manifest, [])
                return
            }
            try add(manifest.bytes, pending.item.manifest, path.text, to: used)
        }
    }

    private func add(_ item: IndexedItem, _ subject: String, to used: UsedObjects) throws {
        guard !used.contains(manifest: item.manifest) else { return }
        let key = try store.layout.manifest(item.manifest)
        guard let bytes = try store.object(key, most: store.rules.largestManifest)?.content else {
            throw ContentStoreError(
                .missing,
                "manifest \(item.manifest) is missing, so its chunks are unknown. Nothing was removed.",
                subject)
        }
        try add(bytes, item.manifest, subject, to: used)
    }

    private func add(
        _ bytes: [UInt8], _ name: ObjectName, _ subject: String, to used: UsedObjects
    ) throws {
        do throws(ContentStoreError) {
            switch try StoreManifest(parsing: bytes) {
            case .file(let file): used.add(manifest: name, file.chunks)
            case .link: used.add(manifest: name, [])
            case .chunks(let chunks): used.add(manifest: name, chunks)
            }
        } catch {
            throw ContentStoreError(
                error.kind, "a manifest cannot be read, so its chunks are unknown. Nothing was removed.",
                subject,
                cause: error)
        }
    }

    // MARK: What is not

    /// Copies of deleted entries keep what they name until they are old.
    private func addTrash(
        to used: UsedObjects, _ plan: inout CollectionPlan, _ progress: CollectionProgress
    ) throws {
        try store.objects.list(store.layout.trash, isDelimited: false, after: nil) { listed in
            try progress(.entries, Int64(used.entryCount), nil)
            guard case .object(let key, let attributes) = listed else { return true }
            if let age = rules.trashAge, isOld(attributes, age, plan.time) {
                plan.trash.append(CollectionPlan.Object(key: key, attributes))
                return true
            }
            guard let stored = try store.object(key, most: IndexEntry.mostBytes) else { return true }
            let entry = try IndexEntry(parsing: stored.content)
            var items = [entry.current].compactMap(\.self)
            if case .preparing(_, let pending) = entry { items.append(pending.item) }
            for item in items { try addDeleted(item, key, to: used) }
            return true
        }
    }

    private func addDeleted(_ item: IndexedItem, _ copy: ObjectKey, to used: UsedObjects) throws {
        do {
            try add(item, copy.text, to: used)
        } catch let error as ContentStoreError where error.kind == .missing {
            // It was deleted: that its manifest is missing harms nobody more.
        }
    }

    private func addManifests(
        to used: UsedObjects, _ plan: inout CollectionPlan, _ progress: CollectionProgress
    ) throws {
        var done: Int64 = 0
        try store.objects.list(store.layout.manifests, isDelimited: false, after: nil) { listed in
            done += 1
            try progress(.manifests, done, nil)
            guard case .object(let key, let attributes) = listed, let name = store.layout.manifest(at: key),
                !used.contains(manifest: name)
            else { return true }
            used.note(manifest: name)
            let isYoung = !isOld(attributes, rules.grace, plan.time)
            if try isYoung || isWithoutPath(key) {
                // Somebody is about to name it, or knows its name.
                try addFound(key, name, to: used)
                if isYoung { plan.young += 1 }
            } else {
                plan.manifests.append(CollectionPlan.Object(key: key, attributes))
            }
            return true
        }
    }

    func addFound(_ key: ObjectKey, _ name: ObjectName, to used: UsedObjects) throws {
        guard let bytes = try store.object(key, most: store.rules.largestManifest)?.content else { return }
        try add(bytes, name, key.text, to: used)
    }

    /// Whether a manifest was uploaded without a path: it never has an index entry.
    private func isWithoutPath(_ key: ObjectKey) throws -> Bool {
        guard let bytes = try store.object(key, most: store.rules.largestManifest)?.content else {
            return true
        }
        switch try StoreManifest(parsing: bytes) {
        case .file(let file): return file.path == nil
        case .link(let link): return link.path == nil
        case .chunks: return true
        }
    }

    private func addChunks(
        _ used: UsedObjects, _ plan: inout CollectionPlan, _ progress: CollectionProgress
    ) throws {
        var done: Int64 = 0
        try store.objects.list(store.layout.chunks, isDelimited: false, after: nil) { listed in
            done += 1
            try progress(.chunks, done, nil)
            guard case .object(let key, let attributes) = listed, let name = store.layout.chunk(at: key)
            else {
                return true
            }
            plan.storedChunks += 1
            guard !used.contains(chunk: name) else { return true }
            if isOld(attributes, rules.grace, plan.time) {
                plan.chunks.append(CollectionPlan.Object(key: key, attributes))
            } else {
                plan.young += 1
            }
            return true
        }
    }
}
