import Logging
import Synchronization
import ValiseCryptography
import ValiseFailures
import ValiseXFTPWire

/// Tells the operator of failures of the disk, a database and the like, which clients only get a word about.
///
/// Thousands of requests may fail over the same: one line a minute says so, and how many there were.
final class FailureLog: Sendable {
    private struct State {
        var last: ContinuousClock.Instant?
        var untold = 0
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let interval: Duration
    private let metrics: RelayMetrics

    init(_ logger: Logger, metrics: RelayMetrics = RelayMetrics(), interval: Duration = .seconds(60)) {
        self.logger = logger
        self.metrics = metrics
        self.interval = interval
    }

    /// Passes over what is the client's doing.
    func report(_ error: any Error, now: ContinuousClock.Instant = .now) {
        guard Self.concernsOperator(error) else { return }
        metrics.noteFailure(Self.kind(of: error))
        let untold = state.withLock { state -> Int? in
            if let last = state.last, now - last < interval {
                state.untold += 1
                return nil
            }
            defer { state = State(last: now) }
            return state.untold
        }
        guard let untold else { return }
        var metadata: Logger.Metadata = ["error": .failure(error)]
        if untold > 0 { metadata["moreSinceTheLast"] = "\(untold)" }
        logger.error("the relay could not complete a valid request", metadata: metadata)
    }

    private static func kind(of error: any Error) -> String {
        if (error as? XFTPStoreError)?.kind == .unavailable { return "unavailable" }
        return ((error as? any Failure)?.code ?? .failed).rawValue
    }

    static func concernsOperator(_ error: any Error) -> Bool {
        // A client's key may be none.
        if error is SodiumError { return false }
        guard let error = error as? XFTPStoreError else { return true }
        if error.kind == .unavailable { return true }
        switch error.answer {
        case .internal, .fileIO: return true
        // The quota is the operator's own word; a full disk is not, and names a file.
        case .quota: return error.subject != nil
        default: return false
        }
    }
}
