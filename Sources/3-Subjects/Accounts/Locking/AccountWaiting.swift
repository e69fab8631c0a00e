import ValiseConcurrency
import ValiseFailures

/// Whether whoever needs an account that is in use waits for it, in place of a refusal that names the holder.
///
/// It is a value of the task, since locks are taken deep below whoever decides it.
package struct AccountWaiting: Sendable {
    /// Nil to be refused at once.
    @TaskLocal package static var current: AccountWaiting?

    private let end: ContinuousClock.Instant?
    private let limit: Duration?
    private let report: @Sendable (_ holder: String) throws -> Void

    /// - Parameters:
    ///   - limit: nil for as long as it takes.
    ///   - tell: called again and again with who has the account; throw to stop.
    package init(atMost limit: Duration?, report: @escaping @Sendable (_ holder: String) throws -> Void) {
        self.limit = limit
        end = limit.map { ContinuousClock.now + $0 }
        self.report = report
    }

    /// How long it was waited for in vain, such as `90 s`; nil where the time is not over.
    var passed: String? {
        guard let limit, let end, ContinuousClock.now >= end else { return nil }
        let seconds = limit.components.seconds
        return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
    }

    /// - Returns: whether it is worth another look, after a pause.
    /// - Throws: `Interruption` where the task was cancelled; whatever `report` throws.
    func mayLookAgain(_ holder: String) throws -> Bool {
        if let end, ContinuousClock.now >= end { return false }
        if Task.isCancelled { throw Interruption() }
        try report(holder)
        return true
    }
}
