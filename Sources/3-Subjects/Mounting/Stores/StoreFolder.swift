/// A folder of a store.
struct StoreFolder: TreeFolder {
    private let content: StoreContent
    private let path: [String]

    init(_ content: StoreContent, _ path: [String]) {
        self.content = content
        self.path = path
    }

    func item(named name: [UInt8]) throws -> TreeItem? {
        // A name in a store is text.
        guard let name = String(validating: name, as: UTF8.self),
            let entry = try content.store.entry(at: path + [name])
        else { return nil }
        return content.item(of: entry, in: path)
    }

    func listing() throws -> any TreeListing { Listing(content: content, path: path) }

    private struct Listing: TreeListing {
        let content: StoreContent
        let path: [String]
        var entries: [FetchedEntry] = []
        var place = 0
        var last: FetchedEntry?
        var hasEnded = false

        mutating func next() throws -> TreeEntry? {
            while !hasEnded {
                if place == entries.count {
                    entries = try content.store.entries(of: path, after: last)
                    (place, last) = (0, entries.last ?? last)
                    hasEnded = entries.isEmpty
                    continue
                }
                let entry = entries[place]
                place += 1
                if let item = content.item(of: entry, in: path) {
                    return TreeEntry(Array(entry.name.utf8), item)
                }
            }
            return nil
        }
    }
}
