package import SystemPackage
package import ValiseConcurrency
package import ValiseFiles
import ValiseStorage

/// Finds out what makes a folder and a store the same. Nothing is changed.
package struct SyncPlanner: Sendable {
    private let store: ContentStore
    private let folder: FilePath
    private let base: SyncBase
    private let now: @Sendable () -> Int64
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - store: opened.
    ///   - folder: on disk.
    ///   - base: of the last synchronization of both.
    ///   - now: seconds since 1970.
    ///   - fileSystem: what the folder is read by.
    /// - Throws: ``ContentStoreError``: `invalid` where the base is one of another store.
    package init(
        _ store: ContentStore, _ folder: FilePath, _ base: SyncBase, now: @escaping @Sendable () -> Int64,
        fileSystem: FileSystem = FileSystem()
    ) throws(ContentStoreError) {
        try base.check(store)
        self.store = store
        self.folder = folder
        self.base = base
        self.now = now
        self.fileSystem = fileSystem
    }

    /// Makes the plan.
    /// - Throws: `StorageError`; `FileError`; whatever `progress` throws.
    package func plan(
        _ direction: SyncPlan.Direction, _ progress: ProgressHandler = { _ in }
    ) throws -> SyncPlan {
        var plan = SyncPlan(direction: direction, time: now())
        let known = base.entries
        let comparison = StoreComparison(store, folder, fileSystem, needsDigests: true) { path, attributes in
            known[path].flatMap { $0.isUnchanged(attributes) ? $0.digest : nil }
        }
        var trash: [StorePath: Set<String>]?
        var seen: Set<StorePath> = []
        let report = try comparison.run(progress) { item in
            let entry = base.entries[item.path]
            if entry != nil { seen.insert(item.path) }
            var wasDeleted = item.isDeleted
            if let entry, item.remote == nil, !wasDeleted {
                let copies = try trash ?? deletedVersions()
                trash = copies
                wasDeleted = copies[item.path]?.contains(entry.contentVersion) ?? false
            }
            plan.add(item, base: entry, wasDeleted: wasDeleted)
        }
        plan.problems = report.problems
        let failed = Set(report.problems.map(\.path))
        plan.gone += known.keys.filter { !seen.contains($0) && !failed.contains($0.text) }.sorted()
        return plan
    }

    /// What was deleted in the portable style: that leaves a copy of the entry in the trash.
    private func deletedVersions() throws -> [StorePath: Set<String>] {
        var versions: [StorePath: Set<String>] = [:]
        try store.objects.list(store.layout.trash, isDelimited: false, after: nil) { listed in
            guard case .object(let key, _) = listed, let path = store.layout.path(inTrash: key),
                base.entries[path] != nil,
                let stored = try store.object(key, most: IndexEntry.mostBytes),
                let version = try? IndexEntry(parsing: stored.content).current?.manifest.text
            else { return true }
            versions[path, default: []].insert(version)
            return true
        }
        return versions
    }
}

extension StoreLayout {
    /// The path of a deleted file whose entry was copied to a key; nil for another key.
    func path(inTrash key: ObjectKey) -> StorePath? {
        guard key.text.utf8.starts(with: trash.utf8) else { return nil }
        let rest = key.text.utf8.dropFirst(trash.utf8.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return try? StorePath(lenient: String(decoding: rest[rest.index(after: slash)...], as: UTF8.self))
    }
}
