import Dispatch
import Synchronization

/// Work that goes on beside the calling thread until its result is asked for.
///
/// It is waited for in any case: when the task goes out of scope, nothing of it is left running.
package final class BackgroundTask<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    private let box = Box()
    private let group = DispatchGroup()
    private let cancellation = Cancellation()

    /// - Parameter work: gets what tells it that nobody wants its result any more.
    package init(_ work: @escaping @Sendable (Cancellation) throws -> Value) {
        WorkerThread.start(in: group) { [box, cancellation] in
            let outcome = Result { try work(cancellation) }
            box.result.withLock { $0 = outcome }
        }
    }

    deinit {
        cancellation.cancel()
        group.wait()
    }

    /// Waits for the result.
    ///
    /// - Parameter report: called now and then meanwhile; throw to wait no longer.
    /// - Throws: what the work threw; whatever `report` throws.
    package func value(_ report: () throws -> Void = {}) throws -> Value {
        while group.wait(timeout: .now() + .milliseconds(50)) == .timedOut { try report() }
        return try box.result.withLock { $0 }!.get()
    }
}
