import Synchronization

/// Counts what is done by several tasks.
final class TransferProgress: Sendable {
    private let total: Int64
    private let done = Mutex<Int64>(0)
    private let report: TransferReport

    init(total: Int64, report: @escaping TransferReport) {
        self.total = total
        self.report = report
    }

    func add(_ bytes: Int64) {
        // Inside of the lock, so that nobody sees it go back.
        done.withLock { done in
            done += bytes
            report(.progress(done: done, total: total))
        }
    }
}
