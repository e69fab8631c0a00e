import Synchronization

/// A folder that a program lists. Entries have numbers, from which it may ask again.
final class OpenFolder: Sendable {
    private struct State {
        var listing: any TreeListing
        /// The number of `next`.
        var number: UInt64 = 0
        /// What did not fit into the last answer.
        var next: TreeEntry?
    }

    private let folder: any TreeFolder
    private let state: Mutex<State>

    /// - Throws: where the folder cannot be read.
    init(_ folder: any TreeFolder) throws {
        self.folder = folder
        state = Mutex(State(listing: try folder.listing()))
    }

    /// Lends the entries from a number on.
    ///
    /// - Parameter body: gets an entry and its number; false where it is to be lent again next time.
    /// - Throws: where the folder cannot be read.
    func forEach(from number: UInt64, _ body: (TreeEntry, UInt64) -> Bool) throws {
        try state.withLock { state in
            if number < state.number { state = State(listing: try folder.listing()) }
            while let entry = try state.next ?? state.listing.next() {
                state.next = entry
                guard state.number < number || body(entry, state.number) else { return }
                state.next = nil
                state.number += 1
            }
        }
    }
}
