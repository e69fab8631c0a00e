import ValiseFailures

/// The files of a store, fetched when they are read. What was fetched is kept in a ``BlockCache``.
///
/// Others may change the store meanwhile: names and attributes are asked for again after some seconds, and an open file keeps
/// the content that it was opened with.
package final class StoreTree: FileTree {
    package let name: String
    package let root: TreeItem

    package var isConstant: Bool { false }

    /// - Parameters:
    ///   - store: where the files are.
    ///   - cache: where blocks of them stay.
    package init(_ store: any FetchedStore, cache: BlockCache) {
        name = store.name
        root = TreeItem(.folder(StoreFolder(StoreContent(store: store, cache: cache), [])))
    }
}

/// What all files of a store have in common.
struct StoreContent: Sendable {
    let store: any FetchedStore
    let cache: BlockCache
    let files = OpenSources<StoreBlocks>()

    /// - Returns: nil for a name that no file system can have.
    func item(of entry: FetchedEntry, in folder: [String]) -> TreeItem? {
        let name = entry.name.utf8
        guard !name.isEmpty, entry.name != ".", entry.name != "..", !name.contains(0),
            !name.contains(UInt8(ascii: "/"))
        else { return nil }
        let path = folder + [entry.name]
        let content: TreeItem.Content =
            switch entry.kind {
            case .folder: .folder(StoreFolder(self, path))
            case .file(let size, _):
                .file(FetchedContent(content: self, entry: entry, path: path), size: size)
            case .link(let target): .link(Array(target.utf8))
            }
        return TreeItem(content, permissions: entry.permissions, modified: entry.modified)
    }

    /// What a file is read by. It is opened anew where that was too long ago.
    func blocks(of entry: FetchedEntry, at path: [String]) throws -> StoreBlocks {
        guard case .file(let size, let version) = entry.kind else {
            throw MountError(.unsupported, "not a file", subject: path.joined(separator: "/"))
        }
        return try files.source(Array(path.joined(separator: "/").utf8) + [0] + version, cost: size) {
            StoreBlocks(try store.open(entry, at: path), version, cache)
        }
    }
}

/// A file of a store.
private struct FetchedContent: TreeContent {
    let content: StoreContent
    let entry: FetchedEntry
    let path: [String]

    func open(checkpoint: () throws -> Void) throws -> any TreeFile {
        FetchedTreeFile(content, entry, path, try content.blocks(of: entry, at: path).size)
    }
}

private final class FetchedTreeFile: TreeFile {
    let size: Int64
    private let content: StoreContent
    private let entry: FetchedEntry
    private let path: [String]

    init(_ content: StoreContent, _ entry: FetchedEntry, _ path: [String], _ size: Int64) {
        self.content = content
        self.entry = entry
        self.path = path
        self.size = size
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int {
        try unsafe content.blocks(of: entry, at: path).read(into: buffer, at: offset, checkpoint: checkpoint)
    }
}
