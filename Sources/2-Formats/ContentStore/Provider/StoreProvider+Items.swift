import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

extension StoreProvider {
    /// Some items of a folder, in the order of their keys.
    ///
    /// - Parameters:
    ///   - folder: its identifier; empty for the top.
    ///   - page: what the previous page named as the next one; nil for the first.
    ///   - limit: of items.
    /// - Throws: ``ProviderError``: `notFound` for a folder that is not there.
    public func listItems(
        _ folder: String = "", page: String? = nil, limit: Int = 200
    ) throws -> ProviderPage {
        try call {
            let path = folder.isEmpty ? nil : try Self.path(folder)
            if let path, page == nil, try !store.isFolder(path) {
                throw ContentStoreError(.missing, "no such folder in the store", path.text)
            }
            let (listed, next) = try listed(path, page, max(1, limit))
            return ProviderPage(items: try items(listed), next: next)
        }
    }

    private func listed(
        _ folder: StorePath?, _ page: String?, _ limit: Int
    ) throws -> (items: [ListedItem], next: String?) {
        var items: [ListedItem] = []
        var next: String?
        try store.list(folder, after: page) { item in
            if items.count == limit {
                next = items.last?.place
                return false
            }
            if item.place != nil { items.append(item) }
            return true
        }
        return (items, next)
    }

    private func items(_ listed: [ListedItem]) throws -> [ProviderItem] {
        let found = Mutex<[Int: ProviderItem]>([:])
        try ParallelBatches.run(count: listed.count, workers: store.rules.chunksInFlight) {
        } work: { _, number in
            if let item = try self.item(listed[number]) { found.withLock { $0[number] = item } }
        }
        return found.withLock { found in listed.indices.compactMap { found[$0] } }
    }

    /// Nil for a tombstone, and for what was not uploaded completely.
    private func item(_ listed: ListedItem) throws -> ProviderItem? {
        switch listed {
        case .folder(let path): return .folder(path.text)
        case .unusable: return nil
        case .entry(let path, let attributes):
            do {
                return try store.content(of: path).item.map { ProviderItem($0, stored: attributes.modified) }
            } catch let error as any Failure where error.isOfObject {
                return ProviderItem(unreadable: path, error.message)
            }
        }
    }

    /// One item.
    /// - Throws: ``ProviderError``: `notFound`.
    public func item(_ identifier: String) throws -> ProviderItem {
        try call {
            if identifier.isEmpty { return .folder("") }
            let path = try Self.path(identifier)
            if case .item(let item) = try store.content(of: path) { return ProviderItem(item, stored: nil) }
            guard try store.isFolder(path) else {
                throw ContentStoreError(.missing, "no such item in the store", identifier)
            }
            return .folder(identifier)
        }
    }
}

extension ListedItem {
    /// Where a listing goes on behind it; nil for what is no item.
    fileprivate var place: String? {
        switch self {
        case .folder(let path): path.text + "/"
        case .entry(let path, _): path.text
        case .unusable: nil
        }
    }
}

extension ProviderItem {
    static func folder(_ identifier: String) -> ProviderItem {
        ProviderItem(
            identifier: identifier, kind: .folder, size: 0, modified: nil, contentVersion: "", writtenBy: "",
            conflictWith: nil, problem: nil)
    }

    /// - Parameter stored: when the entry was stored.
    init(_ item: StoredItem, stored: Int64?) {
        let kind: Kind
        var modified = stored
        switch item.content {
        case .file(let file):
            kind = .file
            modified = file.modified?.seconds ?? Int64(exactly: file.written) ?? stored
        case .link(let link):
            kind = .symbolicLink(target: link.target)
            modified = Int64(exactly: link.written) ?? stored
        }
        self.init(
            identifier: item.path.text, kind: kind, size: item.content.size, modified: modified,
            contentVersion: item.contentVersion, writtenBy: item.content.device,
            conflictWith: Self.original(of: item.path.text), problem: nil)
    }

    init(unreadable path: StorePath, _ problem: String) {
        self.init(
            identifier: path.text, kind: .file, size: 0, modified: nil, contentVersion: "", writtenBy: "",
            conflictWith: nil, problem: problem)
    }

    /// The path of which this one is the copy of a conflict; nil for another one.
    private static func original(of path: String) -> String? {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let mark = ".conflict-"
        guard let place = path[start...].range(of: mark), place.lowerBound > start,
            place.upperBound < path.endIndex
        else { return nil }
        let type = path[place.upperBound...].lastIndex(of: ".").map { path[$0...] } ?? ""
        return String(path[..<place.lowerBound] + type)
    }
}

extension Substring {
    /// Where a text begins and ends in it, the last time.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        }
        return nil
    }
}
