import ValiseConcurrency
import ValiseContentStore
import ValiseFailures

/// Lists what is in a store. Its files are not read, and without details nothing but the list of their names.
package struct ListStore: Operation {
    package var store: StoreInput
    /// What is in it is listed; nil for the top.
    package var folder: String?
    /// Whether what is in folders is listed, too. Then folders are listed only where they have an object of their own.
    package var isRecursive = false
    /// Whether the entry and the manifest of each file are read.
    package var isDetailed = false
    /// Whether tombstones are listed. They are known only with details.
    package var includesDeleted = false
    private let entry: @Sendable (StoreEntry) throws -> Void

    /// - Parameter entry: gets what is there, in the order of the bytes of the paths; throws to stop.
    package init(_ store: StoreInput, entry: @escaping @Sendable (StoreEntry) throws -> Void) {
        self.store = store
        self.entry = entry
    }

    /// - Throws: `StorageError`; `ContentStoreError`: `missing` for a folder that is not there; whatever `entry` throws.
    package func run(in context: OperationContext) async throws -> ListedStore {
        let folder = try folder.map { try StorePath.named($0) }
        return try await store.opened(in: context) { store, progress in
            var report = ListedStore(place: self.store.address.absoluteText)
            try list(folder, store, progress) { entry in
                if entry.kind == .deleted, !includesDeleted { return }
                if let problem = entry.problem {
                    let failure = EntryFailure(entry.path, Remark(problem))
                    report.entryFailures.append(failure)
                    context.tell([failure])
                }
                report.count(entry)
                try self.entry(entry)
            }
            if let folder, report.entries == 0, try !store.isFolder(folder) {
                throw ContentStoreError(.missing, "no such folder in the store", folder.text)
            }
            return report
        }
    }

    private func list(
        _ folder: StorePath?, _ store: ContentStore, _ progress: ProgressHandler,
        _ take: (StoreEntry) throws -> Void
    ) throws {
        var count: Int64 = 0
        func checkpoint() throws { try progress(Self.progress(count)) }
        guard isDetailed else {
            return try listNames(folder, store) { entry in
                count += 1
                if count % 1024 == 0 { try checkpoint() }
                try take(entry)
            }
        }
        try withoutActuallyEscaping(take) { take in
            try withoutActuallyEscaping(checkpoint) { checkpoint in
                var reader = StoreEntryReader(store, checkpoint: checkpoint, take: take)
                try store.listPaths(folder, isRecursive: isRecursive) { listed in
                    count += 1
                    if case .entry(let path) = listed {
                        try reader.add(path)
                    } else {
                        try reader.add(StoreEntry(listed))
                    }
                    return true
                }
                try reader.finish()
            }
        }
    }

    private func listNames(
        _ folder: StorePath?, _ store: ContentStore, _ take: (StoreEntry) throws -> Void
    ) throws {
        try store.listPaths(folder, isRecursive: isRecursive) { listed in
            try take(StoreEntry(listed))
            return true
        }
    }

    private static func progress(_ count: Int64) -> OperationProgress {
        OperationProgress("listing", completed: count, unit: .items)
    }
}

/// What a listing of a store gave.
package struct ListedStore: OperationReport {
    /// Where it is; folders as absolute paths.
    package let place: String
    /// How many were listed.
    package private(set) var entries = 0
    package private(set) var folders = 0
    /// Where files were looked at: how many there are, and their bytes.
    package private(set) var files = 0
    package private(set) var size: Int64 = 0
    package internal(set) var entryFailures: [EntryFailure] = []

    init(place: String) { self.place = place }

    mutating func count(_ entry: StoreEntry) {
        entries += 1
        switch entry.kind {
        case .folder: folders += 1
        case .file:
            files += 1
            size = size.addingReportingOverflow(entry.size ?? 0).partialValue
        case .entry, .symlink, .deleted, .unfinished, .unusable: break
        }
    }

    private enum CodingKeys: CodingKey { case place, entries, folders, files, size, problems }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .place)
        try container.encode(entries, forKey: .entries)
        try container.encode(folders, forKey: .folders)
        try container.encode(files, forKey: .files)
        try container.encode(size, forKey: .size)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
