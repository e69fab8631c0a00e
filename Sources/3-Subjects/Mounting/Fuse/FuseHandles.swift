import Synchronization

/// What programs have open, by numbers that the kernel gives back.
final class FuseHandles<Value: Sendable>: Sendable {
    private struct State {
        var values: [UInt64: (value: Value, inode: UInt64)] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Returns: its number.
    func add(_ value: Value, _ inode: UInt64) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.values[state.last] = (value, inode)
            return state.last
        }
    }

    subscript(handle: UInt64) -> (value: Value, inode: UInt64)? { state.withLock { $0.values[handle] } }

    func remove(_ handle: UInt64) {
        // What ends with it ends outside of the lock.
        let removed = state.withLock { $0.values.removeValue(forKey: handle) }
        withExtendedLifetime(removed) {}
    }
}
