import Synchronization
import ValiseConcurrency

/// Counts what is done by several tasks.
final class TransferProgress: Sendable {
    private struct State {
        var progress: OperationProgress
        var meter = RateMeter()
    }

    private let state: Mutex<State>
    private let report: EventHandler

    /// - Parameter activity: such as `sending`.
    init(
        _ activity: String, total: Int64, unit: OperationProgress.Unit = .bytes,
        report: @escaping EventHandler
    ) {
        state = Mutex(State(progress: OperationProgress(activity, total: total, unit: unit)))
        self.report = report
    }

    func add(_ count: Int64) {
        // Inside of the lock, so that nobody sees it go back.
        state.withLock { state in
            state.progress.completed += count
            state.progress.rate = state.meter.rate(state.progress.completed)
            report(.progress(state.progress))
        }
    }

    /// What was done before this run says nothing of its pace.
    func restartRate() { state.withLock { $0.meter.restart() } }
}
