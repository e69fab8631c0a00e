import Synchronization
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseMounting
import ValiseStorage

/// A store of tcfs as a tree needs it: files are fetched when they are read.
struct MountedStore: FetchedStore {
    let store: ContentStore
    /// Where it is, as its user writes it.
    let name: String

    /// So many entries are read side by side.
    private static let page = 128

    /// An entry that is listed and not read yet.
    private enum Listed: Sendable {
        case folder(String)
        case entry(StorePath)
    }

    func entry(at path: [String]) throws -> FetchedEntry? {
        guard let path = try? StorePath(lenient: path.joined(separator: "/")) else { return nil }
        if let found = try entry(path) { return found }
        return try store.isFolder(path) ? FetchedEntry(path.name, .folder) : nil
    }

    /// - Returns: nil where there is no file.
    private func entry(_ path: StorePath) throws -> FetchedEntry? {
        do {
            guard let item = try store.content(of: path).item else { return nil }
            return Self.entry(item, path)
        } catch let error as ContentStoreError where error.isOfObject {
            // It is shown, and who opens it gets the failure.
            return FetchedEntry(path.name, .file(size: 0, version: []))
        }
    }

    private static func entry(_ item: StoredItem, _ path: StorePath) -> FetchedEntry {
        switch item.content {
        case .link(let link):
            return FetchedEntry(
                path.name, .link(target: link.target),
                modified: UTCTime(seconds: Int64(clamping: link.written)))
        case .file(let file):
            let modified = file.modified.map {
                UTCTime(seconds: $0.seconds, nanoseconds: Int($0.nanoseconds))
            }
            return FetchedEntry(
                path.name, .file(size: file.size, version: Array(item.contentVersion.utf8)),
                permissions: file.mode.map { $0 & 0o777 },
                modified: modified ?? UTCTime(seconds: Int64(clamping: file.written)))
        }
    }

    func entries(of folder: [String], after last: FetchedEntry?) throws -> [FetchedEntry] {
        let path = folder.isEmpty ? nil : try StorePath(lenient: folder.joined(separator: "/"))
        var found: [FetchedEntry] = []
        var waiting: [Listed] = []
        try store.list(path, after: last.map { Self.key(of: $0, in: path) }) { listed in
            switch listed {
            case .folder(let folder): waiting.append(.folder(folder.name))
            case .entry(let path, _): waiting.append(.entry(path))
            case .unusable: break
            }
            guard waiting.count >= Self.page else { return true }
            found = try read(waiting, after: last)
            waiting = []
            // Deleted files are none, and no entries mean the end.
            return found.isEmpty
        }
        return found.isEmpty ? try read(waiting, after: last) : found
    }

    private static func key(of entry: FetchedEntry, in folder: StorePath?) -> String {
        (folder.map { "\($0.text)/" } ?? "") + entry.name + (entry.kind == .folder ? "/" : "")
    }

    private func read(_ listed: [Listed], after last: FetchedEntry?) throws -> [FetchedEntry] {
        let found = Mutex([FetchedEntry?](repeating: nil, count: listed.count))
        try ParallelBatches.run(count: listed.count, workers: store.rules.chunksInFlight) {
        } work: { _, number in
            let entry =
                switch listed[number] {
                case .folder(let name): FetchedEntry(name, .folder)
                case .entry(let path): try self.entry(path)
                }
            found.withLock { $0[number] = entry }
        }
        return found.withLock { $0 }.compactMap { $0 }.filter { $0.name != last?.name }
    }

    func open(_ entry: FetchedEntry, at path: [String]) throws -> any FetchedFile {
        MountedFile(
            try StoredFile(store, store.resolve(StorePath(lenient: path.joined(separator: "/")))))
    }
}

/// An open file of a mounted store.
private final class MountedFile: FetchedFile {
    private let file: StoredFile

    init(_ file: StoredFile) { self.file = file }

    var size: Int64 { file.size }

    func bytes(in range: Range<Int64>, checkpoint: () throws -> Void) throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        try file.read(range) { piece in
            bytes.withLock { $0 += piece }
        } report: {
            try checkpoint()
        }
        return bytes.withLock { $0 }
    }
}
