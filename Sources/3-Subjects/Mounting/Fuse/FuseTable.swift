import Synchronization

/// What the kernel knows of a tree: each inode as often as it was looked up, until the kernel forgets it.
final class FuseTable: Sendable {
    /// An entry that the kernel knows.
    struct Known: Sendable {
        let item: TreeItem
        /// The number of its folder.
        let folder: UInt64
        let name: [UInt8]
        /// How often it was looked up.
        fileprivate(set) var count: UInt64 = 1
    }

    private struct State {
        var known: [UInt64: Known] = [:]
        /// In the order in which they became known; some are forgotten by now.
        var order: [UInt64] = []
        /// How many of these were taken.
        var taken = 0
    }

    private let root: TreeItem
    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: more than these are let go of, where nobody uses them.
    init(_ root: TreeItem, most: Int) {
        self.root = root
        self.most = most
    }

    /// How many are known.
    var count: Int { state.withLock { $0.known.count } }

    /// What has a number; nil for one that the kernel should not know.
    func item(_ inode: UInt64) -> TreeItem? {
        inode == FuseInode.root ? root : state.withLock { $0.known[inode]?.item }
    }

    /// The number of the folder above; of the root its own.
    func folder(of inode: UInt64) -> UInt64 { state.withLock { $0.known[inode]?.folder ?? FuseInode.root } }

    /// What an entry is called; of the root a slash.
    func name(of inode: UInt64) -> [UInt8] { state.withLock { $0.known[inode]?.name ?? [UInt8(ascii: "/")] } }

    /// The kernel knows an entry once more.
    /// - Returns: its number.
    func add(_ name: [UInt8], _ item: TreeItem, in folder: UInt64) -> UInt64 {
        state.withLock { state in
            var inode = FuseInode.number(of: name, in: folder)
            while let other = state.known[inode] {
                if other.folder == folder, other.name == name {
                    state.known[inode]?.count += 1
                    return inode
                }
                // Another entry has it: the next one, then.
                inode += 1
            }
            state.known[inode] = Known(item: item, folder: folder, name: name)
            state.order.append(inode)
            return inode
        }
    }

    /// The kernel knows an entry so many times less.
    func forget(_ inode: UInt64, _ count: UInt64) {
        state.withLock { state in
            guard let known = state.known[inode] else { return }
            if known.count > count {
                state.known[inode]?.count -= count
            } else {
                state.known[inode] = nil
            }
            if state.order.count > 2 * state.known.count + 1024 { Self.tidy(&state) }
        }
    }

    private static func tidy(_ state: inout State) {
        var isThere: Set<UInt64> = []
        state.order = state.order[state.taken...].filter {
            state.known[$0] != nil && isThere.insert($0).inserted
        }
        state.taken = 0
    }

    /// The one that became known first, where there are too many. It is the last one from here on: the kernel keeps what is used.
    func surplus() -> Known? {
        state.withLock { state in
            guard state.known.count > most else { return nil }
            while state.taken < state.order.count {
                let inode = state.order[state.taken]
                state.taken += 1
                guard let known = state.known[inode] else { continue }
                state.order.append(inode)
                if state.taken > state.known.count { Self.tidy(&state) }
                return known
            }
            return nil
        }
    }
}
