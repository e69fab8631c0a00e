import Synchronization

/// Tells a task to stop, from another thread.
package final class StopSignal: Sendable {
    private let value = Atomic(false)
    private let signal: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    package init() { (signal, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() {
        value.store(true, ordering: .relaxed)
        wake.finish()
    }

    /// Returns when it is set, or the task is cancelled. For one task.
    package func wait() async { for await _ in signal {} }
}
