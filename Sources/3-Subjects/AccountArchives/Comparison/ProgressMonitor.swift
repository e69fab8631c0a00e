import ValiseAccounts
import ValiseConcurrency

/// What is told, and asked whether to go on, whenever SQLite has worked for a while.
final class ProgressMonitor {
    private let progress: ProgressHandler
    var activity: String

    init(_ activity: String, _ progress: @escaping ProgressHandler) {
        self.activity = activity
        self.progress = progress
    }

    /// - Throws: what stops the work.
    func look() throws { try progress(OperationProgress(activity)) }
}
