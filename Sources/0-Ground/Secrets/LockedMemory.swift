import CValisePlatform
import CValiseSodium

/// What the system lets this process keep out of the swap.
package enum LockedMemory {
    /// What becomes of a new secret.
    package enum Outcome: Sendable, Equatable {
        /// It is kept out of the swap.
        case locked
        /// It has guard pages and is wiped, but may be swapped out.
        case unlocked
        /// There is no memory for it.
        case unavailable
    }

    /// The most that can be locked, in bytes; nil where there is no limit, or the system does not tell.
    package static var limit: Int64? {
        let limit = valise_locked_memory_limit()
        return limit < 0 || limit == .max ? nil : limit
    }

    /// Tries it with one page.
    package static func attempt() -> Outcome {
        let size = 4096
        guard sodium_init() >= 0, let memory = unsafe sodium_malloc(size) else { return .unavailable }
        defer { unsafe sodium_free(memory) }
        // The allocation itself does not tell: it takes what it gets.
        return unsafe sodium_mlock(memory, size) == 0 ? .locked : .unlocked
    }
}
