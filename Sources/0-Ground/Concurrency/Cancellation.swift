import Synchronization
import ValiseFailures

/// Tells work on another thread to stop.
public final class Cancellation: Sendable {
    private let value = Atomic(false)

    public init() {}

    public var isCancelled: Bool { value.load(ordering: .relaxed) }

    /// Asks for the stop; several times is once.
    public func cancel() { value.store(true, ordering: .relaxed) }

    /// - Throws: `Interruption` once it is cancelled.
    public func check() throws {
        if isCancelled { throw Interruption() }
    }
}
