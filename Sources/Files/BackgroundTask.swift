import Dispatch
import Synchronization

/// Work that goes on beside the calling thread until its result is asked for.
///
/// It is waited for in any case: when the task goes out of scope, nothing of it is left running.
public final class BackgroundTask<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    private let box = Box()
    private let group = DispatchGroup()

    public init(_ work: @escaping @Sendable () throws -> Value) {
        group.enter()
        // A queue, and so a thread, of its own: see ``ParallelBatches``.
        DispatchQueue(label: "valise.background").async { [group, box] in
            let outcome = Result(catching: work)
            box.result.withLock { $0 = outcome }
            group.leave()
        }
    }

    deinit { group.wait() }

    /// Waits for the result.
    /// - Throws: what the work threw.
    public func value() throws -> Value {
        group.wait()
        return try box.result.withLock { $0 }!.get()
    }
}
