import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// Removes files from a store, or a folder with all that is in it, after consent. The index entries are copied to the trash of the
/// store before, and what files consist of stays until it is collected.
package struct RemoveFromStore: Operation {
    package var store: StoreInput
    package var paths: [String]
    /// Whether folders are removed.
    package var removesFolders = false
    package var writing = StoreWriting()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ paths: [String], from store: StoreInput) {
        self.paths = paths
        self.store = store
    }

    /// - Throws: `ContentStoreError`: `missing` for what is not there, `exists` for a folder where none may be removed;
    ///   `StorageError`.
    package func plan(in context: OperationContext) async throws -> PlannedRemoval {
        try await store.opened(in: context) { store, progress in try look(store, progress) }
    }

    /// - Throws: as ``plan(in:)``.
    package func run(in context: OperationContext) async throws -> RemovedFromStore {
        try await store.opened(in: context) { store, progress in
            let plan = try look(store, progress)
            try context.require(
                whileBlocking: .removeFromStore(plan),
                unasked: .unasked("removing files", subject: self.store.address.text))
            let writer = try writing.writer(store, self.store.identity(clock), in: context)
            var report = RemovedFromStore(place: plan.place)
            for path in plan.files {
                try progress(
                    OperationProgress(
                        "removing", completed: Int64(report.removed.count), total: Int64(plan.files.count),
                        unit: .items))
                do {
                    if try writer.remove(StorePath.named(path)).wasThere { report.removed.append(path) }
                } catch let error as ContentStoreError where error.isOfObject {
                    let failure = EntryFailure(path, Remark(error))
                    report.entryFailures.append(failure)
                    context.tell([failure])
                }
            }
            if report.entryFailures.isEmpty {
                for folder in plan.folders.reversed() { try writer.removeDirectory(StorePath.named(folder)) }
            }
            return report
        }
    }

    private func look(_ store: ContentStore, _ progress: ProgressHandler) throws -> PlannedRemoval {
        var plan = PlannedRemoval(place: self.store.address.absoluteText)
        for text in paths {
            let path = try StorePath.named(text)
            if !text.hasSuffix("/"), case .item = try store.content(of: path) {
                plan.add(file: path.text)
            } else if try store.isFolder(path) {
                guard removesFolders else {
                    throw ContentStoreError(.exists, "this is a folder. Nothing was removed.", path.text)
                }
                plan.add(folder: path.text)
                try store.list(path, isRecursive: true) { listed in
                    try progress(
                        OperationProgress("listing", completed: Int64(plan.files.count), unit: .items))
                    switch listed {
                    case .entry(let path, _): plan.add(file: path.text)
                    case .folder(let path): plan.add(folder: path.text)
                    case .unusable: break
                    }
                    return true
                }
            } else {
                throw ContentStoreError(.missing, "no such file or folder in the store", path.text)
            }
        }
        return plan
    }
}

/// What would be removed from a store.
public struct PlannedRemoval: OperationReport {
    /// Where it is; folders as absolute paths.
    package let place: String
    package private(set) var files: [String] = []
    /// Each one before those in it.
    package private(set) var folders: [String] = []
    private var known: Set<String> = []

    init(place: String) { self.place = place }

    mutating func add(file: String) { if known.insert(file).inserted { files.append(file) } }
    mutating func add(folder: String) { if known.insert(folder + "/").inserted { folders.append(folder) } }

    private enum CodingKeys: CodingKey { case place, files, folders }
}

/// What was removed from a store.
package struct RemovedFromStore: OperationReport {
    /// Where it is; folders as absolute paths.
    package let place: String
    package internal(set) var removed: [String] = []
    package internal(set) var entryFailures: [EntryFailure] = []

    init(place: String) { self.place = place }

    private enum CodingKeys: CodingKey { case place, removed, problems }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .place)
        try container.encode(removed, forKey: .removed)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
