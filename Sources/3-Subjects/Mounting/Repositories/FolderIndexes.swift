import Synchronization
import ValiseStorage

/// The entries of a folder by their names.
struct FolderIndex: Sendable {
    let items: [[UInt8]: TreeItem]
    /// What it takes, in about a hundred bytes each.
    let cost: Int

    /// - Throws: what the listing throws.
    init(of listing: some TreeListing) throws {
        var listing = listing
        var items: [[UInt8]: TreeItem] = [:]
        while let entry = try listing.next() {
            if items[entry.name] == nil { items[entry.name] = entry.item }
        }
        self.items = items
        cost = 1 + items.count * 3
    }
}

/// Indexes of the folders that were looked into last: names are looked up one by one, and a folder has to be read for the first.
final class FolderIndexes: Sendable {
    private struct State {
        var indexes: [ContentID: FolderIndex] = [:]
        /// The one used last at the end.
        var order: [ContentID] = []
        var cost = 0
    }

    private let state = Mutex(State())

    /// Together, without the one used last: a folder may be larger.
    private static let mostCost = 300_000
    private static let mostFolders = 256

    /// The index of a folder, which is made where it is not known.
    /// - Throws: what `make` throws.
    func index(of tree: ContentID, make: () throws -> FolderIndex) throws -> FolderIndex {
        let known = state.withLock { state -> FolderIndex? in
            guard let index = state.indexes[tree] else { return nil }
            Self.use(tree, &state)
            return index
        }
        if let known { return known }
        let index = try make()
        state.withLock { state in
            if state.indexes.updateValue(index, forKey: tree) == nil { state.cost += index.cost }
            Self.use(tree, &state)
            while state.order.count > 1, state.cost > Self.mostCost || state.order.count > Self.mostFolders {
                let oldest = state.order.removeFirst()
                state.cost -= state.indexes.removeValue(forKey: oldest)?.cost ?? 0
            }
        }
        return index
    }

    private static func use(_ tree: ContentID, _ state: inout State) {
        if state.order.last == tree { return }
        state.order.removeAll { $0 == tree }
        state.order.append(tree)
    }
}
