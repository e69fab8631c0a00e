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
        try await BlockingExecutor.shared.run {
            try body { step in
                if Task.isCancelled { throw Interruption() }
                try progress(step)
            }
        }
    }
}
