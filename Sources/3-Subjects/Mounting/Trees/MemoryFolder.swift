package import ValiseEncoding

/// A folder whose entries are in memory, in the order of their names.
package struct MemoryFolder: TreeFolder {
    private let entries: [TreeEntry]

    /// - Parameter entries: in any order; of several with one name the first is shown.
    package init(_ entries: [TreeEntry]) {
        var isKnown: Set<[UInt8]> = []
        self.entries = entries.filter { isKnown.insert($0.name).inserted }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    package func item(named name: [UInt8]) -> TreeItem? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.lexicographicallyPrecedes(name) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < entries.count && entries[low].name == name ? entries[low].item : nil
    }

    package func listing() -> any TreeListing { Listing(rest: entries[...]) }

    private struct Listing: TreeListing {
        var rest: ArraySlice<TreeEntry>

        mutating func next() -> TreeEntry? { rest.popFirst() }
    }

    /// The same as an item.
    package func item(modified: UTCTime? = nil) -> TreeItem { TreeItem(.folder(self), modified: modified) }
}
