import Synchronization

/// Tells a task to stop, from another thread.
final class StopSignal: Sendable {
    private let value = Atomic(false)
    private let signal: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() { (signal, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() {
        value.store(true, ordering: .relaxed)
        wake.finish()
    }

    /// Returns when it is set, or the task is cancelled. For one task.
    func wait() async { for await _ in signal {} }
}
