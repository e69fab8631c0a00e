import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// Copies what is below a folder of a store into a folder of this machine.
///
/// Nothing is written outside of it: folders are made one by one and never entered through a link, and links come last, where they
/// do not leave the folder.
struct StoreTreeCopy {
    /// What is copied.
    struct Items: Sendable {
        /// With their paths in the folder.
        var files: [(path: StorePath, item: StoredItem)] = []
        var links: [(path: StorePath, item: StoredItem)] = []
        var size: Int64 = 0
        var failures: [EntryFailure] = []

        var count: Int { files.count + links.count }
    }

    let store: ContentStore
    /// Nil for the top.
    let folder: StorePath?
    var options = HydrationOptions()
    /// Whether one entry that fails fails all: a part of an account is none.
    var isAllOrNothing = false
    private let fileSystem = FileSystem()

    init(_ store: ContentStore, _ folder: StorePath?) {
        self.store = store
        self.folder = folder
    }

    /// Looks what there is. What cannot be read is a failure of its entry.
    /// - Throws: `ContentStoreError`: `missing` where nothing is there; `StorageError`.
    func items(_ progress: ProgressHandler) throws -> Items {
        var items = Items()
        var count: Int64 = 0
        try store.list(folder, isRecursive: true) { listed in
            count += 1
            try progress(OperationProgress("listing", completed: count, unit: .items))
            switch listed {
            case .folder: break
            case .unusable(let key): items.failures.append(EntryFailure(key, Remark("the key is no path")))
            case .entry(let path, _): try add(path, to: &items)
            }
            return true
        }
        if items.count == 0, items.failures.isEmpty, let folder, try !store.isFolder(folder) {
            throw ContentStoreError(.missing, "no such file or folder in the store", folder.text)
        }
        return items
    }

    private func add(_ path: StorePath, to items: inout Items) throws {
        var found: (path: StorePath, item: StoredItem)?
        let failure = try failure(of: path.text) {
            guard let item = try store.content(of: path).item else { return }
            let place = try relative(path)
            // From where it is going to be, which may be higher than in the store.
            if case .link(let link) = item.content { try SymbolicLinkRules.check(link.target, at: place) }
            found = (place, item)
        }
        if let failure { items.failures.append(failure) }
        guard let found else { return }
        switch found.item.content {
        case .file(let file):
            items.files.append(found)
            items.size = items.size.addingReportingOverflow(file.size).partialValue
        case .link: items.links.append(found)
        }
    }

    private func relative(_ path: StorePath) throws -> StorePath {
        guard let folder else { return path }
        return try StorePath(
            lenient: String(decoding: path.text.utf8.dropFirst(folder.text.utf8.count + 1), as: UTF8.self))
    }

    /// Copies files, then links.
    ///
    /// - Parameters:
    ///   - items: of this folder.
    ///   - target: exists.
    ///   - failed: gets each entry that failed.
    /// - Throws: `StorageError` where the store is not reached; `FileError`: `noSpace`; whatever `progress` throws.
    func copy(
        _ items: Items, to target: FilePath, _ progress: ProgressHandler,
        failed: (EntryFailure) -> Void
    ) throws {
        try checkSpace(items.size, target)
        var done: Int64 = 0
        for (path, item) in items.files + items.links {
            let failure = try failure(of: item.path.text) {
                let place = try place(path, in: target)
                try store.hydrate(item, to: place, options, fileSystem: fileSystem) { part in
                    try progress(
                        .entry(path.text, completed: done + part.completed, total: items.size))
                }
            }
            if let failure { failed(failure) }
            done += item.content.size
        }
    }

    private func checkSpace(_ size: Int64, _ target: FilePath) throws {
        let free = try fileSystem.freeSpace(at: target)
        guard free >= size else {
            throw FileError(
                .noSpace, "needs \(Count.bytes(size)), but only \(Count.bytes(free)) are free", target,
                remedy: .freeSpace(size - free, in: target))
        }
    }

    /// Where a file goes, whose folders are there then.
    private func place(_ path: StorePath, in target: FilePath) throws -> FilePath {
        var folder = target
        for component in path.components.dropLast() {
            folder.append(String(component))
            switch try fileSystem.attributes(of: folder)?.kind {
            case .directory?: break
            case nil: try fileSystem.makeDirectory(folder)
            default: throw FileError(.alreadyExists, "not a folder, where the store has one", folder)
            }
        }
        return folder.appending(path.name)
    }

    /// What keeps one entry from being copied, and not the others.
    private func failure(of name: String, _ body: () throws -> Void) throws -> EntryFailure? {
        if isAllOrNothing {
            try body()
            return nil
        }
        do {
            try body()
            return nil
        } catch let error as ContentStoreError where error.isOfObject {
            return EntryFailure(name, Remark(error))
        } catch let error as StorageError where [.damaged, .notFound].contains(error.code) {
            return EntryFailure(name, Remark(error))
        } catch let error as FileError where error.code == .alreadyExists {
            return EntryFailure(name, Remark(error))
        }
    }
}
