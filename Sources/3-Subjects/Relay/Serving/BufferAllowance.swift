import Synchronization

/// What all connections of a relay share beyond their own, in bytes of memory.
final class SharedBuffers: Sendable {
    private let free: Mutex<Int>

    init(bytes: Int) { free = Mutex(bytes) }

    func take(_ bytes: Int) -> Bool {
        free.withLock { free in
            guard free >= bytes else { return false }
            free -= bytes
            return true
        }
    }

    func release(_ bytes: Int) {
        free.withLock { $0 += bytes }
    }
}

/// What one connection holds of buffers, in bytes: up to its own share in any case, beyond that what the others leave.
///
/// So a connection can be slowed down by others, but never stopped.
struct BufferAllowance {
    private let shared: SharedBuffers
    private let own: Int
    private var used = 0
    private var borrowed = 0

    init(own: Int, shared: SharedBuffers) {
        self.own = own
        self.shared = shared
    }

    mutating func take(_ bytes: Int) -> Bool {
        let lacking = used + bytes - own - borrowed
        if lacking > 0 {
            guard shared.take(lacking) else { return false }
            borrowed += lacking
        }
        used += bytes
        return true
    }

    mutating func release(_ bytes: Int) {
        used -= bytes
        let surplus = borrowed - max(0, used - own)
        if surplus > 0 {
            shared.release(surplus)
            borrowed -= surplus
        }
    }
}
