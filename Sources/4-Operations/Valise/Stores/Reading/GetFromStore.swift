package import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseFailures
import ValiseFiles

/// Fetches a file of a store, or a folder with all that is in it. A file has its name when its content is verified.
package struct GetFromStore: Operation {
    package var store: StoreInput
    /// In the store; nil for all of it.
    package var path: String?
    /// The file, or the folder, that is written. A folder may exist.
    package var target: FilePath
    /// Whether files that exist are replaced.
    package var replacesFiles = false
    /// Whether files get the permissions and times that are stored.
    package var restoresAttributes = true

    package init(_ path: String?, from store: StoreInput, to target: FilePath) {
        self.store = store
        self.path = path
        self.target = target
    }

    /// - Throws: as ``run(in:)``.
    package func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await store.opened(in: context) { store, progress in
            var plan = PlannedFiles()
            if let item = try self.item(store) {
                try plan.write([target])
                plan.bytesToProcess = item.content.size
            } else {
                let items = try self.copy(store).items(progress)
                try plan.write((items.files + items.links).map { target.appending($0.path.text) })
                plan.bytesToProcess = items.size
            }
            try plan.lookAtSpace(for: target)
            return plan
        }
    }

    /// - Throws: `ContentStoreError`: `missing`, `damaged`, `noKey`, `wrongKey` for a file that was named; `FileError`:
    ///   `alreadyExists`, `noSpace`; `StorageError`.
    package func run(in context: OperationContext) async throws -> FetchedFromStore {
        try await store.opened(in: context) { store, progress in
            var report = FetchedFromStore(path: path ?? "", target: target.string)
            if let item = try self.item(store) {
                try refuseExisting()
                try store.hydrate(item, to: target, options, progress: progress)
                report.files = 1
                report.size = item.content.size
                return report
            }
            let copy = try self.copy(store)
            let items = try copy.items(progress)
            try FileSystem().makeDirectories(target)
            report.add(items)
            context.tell(items.failures)
            try copy.copy(items, to: target, progress) { failure in
                report.entryFailures.append(failure)
                context.tell([failure])
            }
            report.files = items.count - (report.entryFailures.count - items.failures.count)
            return report
        }
    }

    private func refuseExisting() throws {
        guard try !replacesFiles && FileSystem().exists(target) else { return }
        throw FileError(
            .alreadyExists, "exists already. Nothing was written.", target, remedy: .replaceFile(target))
    }

    /// Nil for a folder.
    private func item(_ store: ContentStore) throws -> StoredItem? {
        guard let path else { return nil }
        let named = try StorePath.named(path)
        // A file and a folder may have one name: who wants the folder says so.
        if path.hasSuffix("/") { return nil }
        do {
            return try store.resolve(named)
        } catch let error as ContentStoreError where error.kind == .missing {
            if try store.isFolder(named) { return nil }
            throw error
        }
    }

    private func copy(_ store: ContentStore) throws -> StoreTreeCopy {
        var copy = StoreTreeCopy(store, try path.map { try StorePath.named($0) })
        copy.options = options
        return copy
    }

    private var options: HydrationOptions {
        var options = HydrationOptions()
        options.isReplacing = replacesFiles
        options.restoresMode = restoresAttributes
        options.restoresModificationTime = restoresAttributes
        return options
    }
}

/// What was fetched from a store.
package struct FetchedFromStore: OperationReport {
    /// In the store; empty for all of it.
    package let path: String
    /// What was written.
    package let target: String
    package internal(set) var files = 0
    /// Of the files, in bytes.
    package internal(set) var size: Int64 = 0
    package internal(set) var entryFailures: [EntryFailure] = []

    init(path: String, target: String) {
        self.path = path
        self.target = target
    }

    mutating func add(_ items: StoreTreeCopy.Items) {
        size = items.size
        entryFailures = items.failures
    }

    private enum CodingKeys: CodingKey { case path, target, files, size, problems }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(target, forKey: .target)
        try container.encode(files, forKey: .files)
        try container.encode(size, forKey: .size)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
