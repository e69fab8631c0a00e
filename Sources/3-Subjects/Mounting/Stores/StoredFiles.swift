import Synchronization
import ValiseConcurrency
package import ValiseContentStore
import ValiseEncoding
import ValiseFailures

/// A store of tcfs for a ``StoreTree``.
package struct StoredFiles: FetchedStore {
    private let store: ContentStore

    /// Entries that are resolved for one page of a listing: each takes two requests.
    private static let pageSize = 64

    package init(_ store: ContentStore) { self.store = store }

    package var name: String { store.location }

    /// - Throws: `ContentStoreError`; `StorageError`.
    package func entry(at path: [String]) throws -> FetchedEntry? {
        guard let name = path.last, let place = Self.place(path) else { return nil }
        if let item = try store.content(of: place).item { return Self.entry(name, item) }
        return try store.isFolder(place) ? FetchedEntry(name, .folder) : nil
    }

    /// Nil for what is no path in any store.
    private static func place(_ path: [String]) -> StorePath? {
        path.isEmpty ? nil : try? StorePath(lenient: path.joined(separator: "/"))
    }

    private static func entry(_ name: String, _ item: StoredItem) -> FetchedEntry {
        switch item.content {
        case .link(let link): return FetchedEntry(name, .link(target: link.target))
        case .file(let file):
            return FetchedEntry(
                name, .file(size: file.size, version: Array(item.contentVersion.utf8)),
                permissions: file.mode,
                modified: file.modified.map {
                    UTCTime(seconds: $0.seconds, nanoseconds: Int($0.nanoseconds))
                })
        }
    }

    // MARK: Listing

    /// Deleted files are left out.
    /// - Throws: `StorageError`.
    package func entries(of folder: [String], after last: FetchedEntry?) throws -> [FetchedEntry] {
        var after = last.map { last in
            (folder + [last.name]).joined(separator: "/") + (last.kind == .folder ? "/" : "")
        }
        while true {
            var page: [ListedItem] = []
            try store.list(Self.place(folder), after: after) { item in
                page.append(item)
                return page.count < Self.pageSize
            }
            guard let end = page.last else { return [] }
            let entries = try resolved(page)
            if !entries.isEmpty { return entries }
            after = Self.key(end)
        }
    }

    /// Where a listing goes on behind an item.
    private static func key(_ item: ListedItem) -> String {
        switch item {
        case .folder(let path): path.text + "/"
        case .entry(let path, _): path.text
        case .unusable(let text): text
        }
    }

    private func resolved(_ page: [ListedItem]) throws -> [FetchedEntry] {
        let found = Mutex([FetchedEntry?](repeating: nil, count: page.count))
        try ParallelBatches.run(
            count: page.count, workers: min(page.count, store.rules.chunksInFlight)
        ) {
        } work: { _, number in
            let entry = try resolved(page[number])
            found.withLock { $0[number] = entry }
        }
        return found.withLock { $0.compactMap(\.self) }
    }

    private func resolved(_ item: ListedItem) throws -> FetchedEntry? {
        switch item {
        case .folder(let path): return FetchedEntry(path.name, .folder)
        case .unusable: return nil
        case .entry(let path, _):
            do {
                return try store.content(of: path).item.map { Self.entry(path.name, $0) }
            } catch is ContentStoreError {
                // Opening it says what is wrong with it; the others can be listed.
                return FetchedEntry(path.name, .file(size: 0, version: []))
            }
        }
    }

    // MARK: Files

    /// - Throws: `ContentStoreError`; `StorageError`; ``MountError``: `gone` where it was changed since it was looked up.
    package func open(_ entry: FetchedEntry, at path: [String]) throws -> any FetchedFile {
        guard let place = Self.place(path), case .file(_, let version) = entry.kind else {
            throw MountError(.unsupported, "not a file", subject: path.joined(separator: "/"))
        }
        let item = try store.resolve(place)
        guard version == Array(item.contentVersion.utf8) else {
            throw MountError(.gone, "the file was changed in the store", subject: place.text)
        }
        return FetchedStoredFile(try StoredFile(store, item))
    }
}

private final class FetchedStoredFile: FetchedFile {
    private let file: StoredFile

    init(_ file: StoredFile) { self.file = file }

    var size: Int64 { file.size }

    func bytes(in range: Range<Int64>, checkpoint: () throws -> Void) throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        try file.read(range, take: { piece in bytes.withLock { $0 += piece } }, report: checkpoint)
        return bytes.withLock { $0 }
    }
}
