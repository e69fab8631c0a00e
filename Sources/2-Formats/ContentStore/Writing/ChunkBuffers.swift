import Synchronization

/// Memory of objects that were stored, for those that follow: a page of fresh memory costs about as much as to encrypt it.
///
/// A buffer is not used for what is less than half as long, so that a budget for what is in them bounds them, too.
final class ChunkBuffers: Sendable {
    private struct State {
        var buffers: [[UInt8]] = []
        var size = 0
    }

    /// How much is kept while nobody uses it, in bytes.
    private let most: Int
    private let state = Mutex(State())

    /// The smallest that is kept: shorter ones do not come from fresh memory.
    private static let least = 256 << 10

    init(most: Int) { self.most = most }

    /// An empty buffer with room for so many bytes.
    func take(_ count: Int) -> [UInt8] {
        if count >= Self.least, let kept = kept(count) { return kept }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(count < Self.least ? count : count + count / 4)
        return buffer
    }

    private func kept(_ count: Int) -> [UInt8]? {
        state.withLock { state in
            let fitting = state.buffers.indices.filter {
                (count...2 * count).contains(state.buffers[$0].capacity)
            }
            guard let place = fitting.min(by: { state.buffers[$0].capacity < state.buffers[$1].capacity })
            else {
                return nil
            }
            let buffer = state.buffers.remove(at: place)
            state.size -= buffer.capacity
            return buffer
        }
    }

    /// Gives a buffer back that nobody else refers to.
    func give(_ buffer: consuming [UInt8]) {
        guard buffer.capacity >= Self.least else { return }
        buffer.removeAll(keepingCapacity: true)
        let empty = buffer
        state.withLock { state in
            // What was kept longest goes first: the sizes of a file change slowly.
            while !state.buffers.isEmpty, state.size + empty.capacity > most {
                state.size -= state.buffers.removeFirst().capacity
            }
            guard empty.capacity <= most else { return }
            state.size += empty.capacity
            state.buffers.append(empty)
        }
    }
}
