import Synchronization
import ValiseFailures

/// Tells work on another thread to stop.
package final class Cancellation: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isCancelled: Bool { value.load(ordering: .relaxed) }

    /// Asks for the stop; several times is once.
    package func cancel() { value.store(true, ordering: .relaxed) }

    /// - Throws: `Interruption` once it is cancelled.
    package func check() throws {
        if isCancelled { throw Interruption() }
    }
}
