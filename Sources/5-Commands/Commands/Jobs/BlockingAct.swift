import Dispatch
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures

/// An act that keeps its thread busy, away from those of tasks.
enum BlockingAct {
    /// - Parameters:
    ///   - progress: throws where the job is to stop.
    ///   - body: gets a handler that throws too when the task is cancelled.
    static func run<Value: Sendable>(
        _ progress: @escaping @Sendable (OperationProgress) throws -> Void,
        _ body: @escaping @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        let isCancelled = StopFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            try body { step in
                                if isCancelled.isSet { throw Interruption() }
                                try progress(step)
                            }
                        })
                }
            }
        } onCancel: {
            isCancelled.set()
        }
    }
}
