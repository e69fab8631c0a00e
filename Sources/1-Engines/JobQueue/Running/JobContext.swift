import Synchronization
package import ValiseConcurrency
import ValiseFailures

/// A running job's line to the queue: it sends the heartbeats, from its making until ``end()``.
///
/// For handlers, and for a foreground operation that took a lease itself. All calls may come from any thread.
package final class JobContext: Sendable {
    private struct State {
        /// What was reported and is not written yet.
        var progress: OperationProgress?
        var lastBeat = ContinuousClock.now
        var isCancelled = false
        var isLost = false
        var isEnded = false
        var onStop: (@Sendable () -> Void)?
    }

    package let lease: JobLease
    private let queue: JobQueue
    private let onProgress: @Sendable (OperationProgress) -> Void
    private let state: Mutex<State>
    /// Nil only while this is made.
    private let beats = Mutex<Ticker?>(nil)

    /// - Parameters:
    ///   - lease: what the worker holds.
    ///   - queue: where the job is kept.
    ///   - onStop: called once, from any thread, when the job is cancelled or the lease is lost.
    package convenience init(
        _ lease: JobLease, in queue: JobQueue, onStop: @escaping @Sendable () -> Void = {}
    ) {
        self.init(lease, in: queue, onStop: onStop, onProgress: { _ in })
    }

    init(
        _ lease: JobLease, in queue: JobQueue, onStop: @escaping @Sendable () -> Void,
        onProgress: @escaping @Sendable (OperationProgress) -> Void
    ) {
        self.lease = lease
        self.queue = queue
        self.onProgress = onProgress
        state = Mutex(State(onStop: onStop))
        let pause = min(Int(queue.settings.lease.milliseconds / 4), 1000)
        let ticker = Ticker(every: .milliseconds(pause)) { [weak self] in
            guard let self, self.state.withLock({ !$0.isEnded && !$0.isLost }) else { return }
            self.beatIfDue()
        }
        beats.withLock { $0 = ticker }
    }

    /// Says how far the job is. It is written within a second.
    package func report(_ progress: OperationProgress) {
        state.withLock { $0.progress = progress }
        onProgress(progress)
    }

    /// Keeps what the next run may go on from. It is durable when this returns, which waits for the disk.
    /// - Throws: ``JobQueueError``: `leaseLost`.
    package func checkpoint(_ bytes: [UInt8]) throws {
        do {
            try queue.change { try $0.checkpoint(lease, bytes) }
        } catch let error as JobQueueError where error.kind == .leaseLost {
            stop { $0.isLost = true }
            throw error
        }
    }

    /// Whether a user does not want the job any more.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether another worker took the job over: stop at once, nothing of this run counts any more.
    package var isLost: Bool { state.withLock { $0.isLost } }

    /// - Throws: `Interruption` when the job is cancelled; ``JobQueueError``: `leaseLost`.
    package func check() throws {
        let (isCancelled, isLost) = state.withLock { ($0.isCancelled, $0.isLost) }
        if isLost { throw JobQueueError.leaseLost(lease.id) }
        if isCancelled { throw Interruption() }
    }

    /// Ends the heartbeats; the lease is to be finished, failed or given back then. Several times is once.
    package func end() {
        let wasEnded = state.withLock { state in
            defer { state.isEnded = true }
            return state.isEnded
        }
        guard !wasEnded else { return }
        // No beat that began before goes on after; then what was reported last.
        beats.withLock { $0 }?.stop()
        if state.withLock({ $0.progress != nil && !$0.isLost }) { beat() }
    }

    // MARK: Heartbeats

    private func beatIfDue() {
        let rest = queue.settings.lease / 4
        let isDue = state.withLock { $0.progress != nil || $0.lastBeat.duration(to: .now) >= rest }
        // Sooner than the lease needs it: a cancellation is to be seen within a second, and that is only a look.
        if isDue || isAskedToStop { beat() }
    }

    private var isAskedToStop: Bool {
        guard let standing = try? queue.standing(lease.id) else { return true }
        return standing.isCancelling && !isCancelled || standing.state != .running
    }

    private func beat() {
        let progress = state.withLock { state in
            defer { state.progress = nil }
            return state.progress
        }
        do {
            let signal = try queue.note { try $0.heartbeat(lease, progress: progress) }
            state.withLock { $0.lastBeat = .now }
            if signal == .cancel { stop { $0.isCancelled = true } }
        } catch let error as JobQueueError where error.kind == .leaseLost {
            stop { $0.isLost = true }
        } catch {
            // A disk that is full, a process that keeps the database: the next beat may be luckier, and if none is, the
            // lease ends.
            state.withLock { if $0.progress == nil { $0.progress = progress } }
        }
    }

    private func stop(_ mark: (inout State) -> Void) {
        let tell = state.withLock { state in
            mark(&state)
            defer { state.onStop = nil }
            return state.isEnded ? nil : state.onStop
        }
        // It may end this, which waits for the beat that is going on.
        if let tell { WorkerThread.start(tell) }
    }
}
