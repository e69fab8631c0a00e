import NIOPosix
import Synchronization

/// Files and ciphers, away from the threads of tasks and connections.
package enum BlockingWork {
    /// Cancelling the task does not keep this from being done: what a relay has answered is to be noted.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            NIOThreadPool.singleton.submit { state in
                guard case .active = state else { return continuation.resume(throwing: CancellationError()) }
                continuation.resume(with: Result { try body() })
            }
        }
    }

    /// The same for what takes long and changes nothing that must be whole.
    ///
    /// - Parameter body: calls its parameter now and then, which throws `CancellationError` when the task is cancelled.
    package static func runLong<Value: Sendable>(
        _ body: @escaping @Sendable (_ checkpoint: @Sendable () throws -> Void) throws -> Value
    ) async throws -> Value {
        let stop = Stop()
        return try await withTaskCancellationHandler {
            try await run { try body(stop.check) }
        } onCancel: {
            stop.ask()
        }
    }

    private final class Stop: Sendable {
        private let isAsked = Atomic(false)

        func ask() { isAsked.store(true, ordering: .relaxed) }

        func check() throws {
            if isAsked.load(ordering: .relaxed) { throw CancellationError() }
        }
    }
}
