import Synchronization

/// The blocks that were read last, as they are: a program asks for many small pieces of each.
final class RecentBlocks: Sendable {
    private struct State {
        /// The one used last at the end.
        var blocks: [(key: BlockKey, bytes: [UInt8])] = []
        var size = 0
    }

    private let state = Mutex(State())

    /// In bytes.
    private static let capacity = 24 << 20

    subscript(key: BlockKey) -> [UInt8]? {
        state.withLock { state in
            guard let place = state.blocks.lastIndex(where: { $0.key == key }) else { return nil }
            if place < state.blocks.count - 1 { state.blocks.append(state.blocks.remove(at: place)) }
            return state.blocks[state.blocks.count - 1].bytes
        }
    }

    func add(_ block: [UInt8], _ key: BlockKey) {
        state.withLock { state in
            guard !state.blocks.contains(where: { $0.key == key }) else { return }
            state.blocks.append((key, block))
            state.size += block.count
            while state.size > Self.capacity, state.blocks.count > 1 {
                state.size -= state.blocks.removeFirst().bytes.count
            }
        }
    }

    func removeAll() { state.withLock { $0 = State() } }
}
