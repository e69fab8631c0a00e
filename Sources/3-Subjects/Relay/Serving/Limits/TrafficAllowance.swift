import Synchronization
import ValiseConcurrency

/// What one client may still take of a relay, or all of them together.
final class TrafficAllowance: Sendable {
    enum Direction {
        case upload
        case download
    }

    private struct State {
        var upload: RateAllowance?
        var download: RateAllowance?
        var newFiles: RateAllowance?
    }

    private let state: Mutex<State>

    init(_ rates: TrafficRates, now: ContinuousClock.Instant = .now) {
        state = Mutex(
            State(
                upload: rates.upload.map { RateAllowance(perSecond: Double($0), now: now) },
                download: rates.download.map { RateAllowance(perSecond: Double($0), now: now) },
                newFiles: rates.newFiles.map {
                    RateAllowance(perSecond: Double($0) / 3600, most: Double($0), now: now)
                }))
    }

    /// Takes bytes, which may be moved after a pause.
    ///
    /// Whoever takes is in a queue so: it is called once for each piece, however many others wait.
    func take(_ bytes: Int, _ direction: Direction, now: ContinuousClock.Instant) -> Duration {
        state.withLock { state in
            switch direction {
            case .upload: state.upload?.reserve(Double(bytes), now: now) ?? .zero
            case .download: state.download?.reserve(Double(bytes), now: now) ?? .zero
            }
        }
    }

    /// - Returns: whether one more chunk may be announced, which then counts.
    func takeNewFile(now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.newFiles?.takeAll(1, now: now) ?? true }
    }

    /// For a chunk that was not announced after all.
    func returnNewFile() { state.withLock { $0.newFiles?.charge(-1) } }
}
