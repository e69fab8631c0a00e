import CValisePlatform
import Dispatch
import Synchronization

/// Spreads numbered batches of work over all cores, while the calling thread reports and may stop them.
package enum ParallelBatches {
    /// More workers than this only cost memory: the disk is the limit long before.
    private static let mostWorkers = 16
    private static let reportInterval = 50

    /// How many workers there are unless told otherwise: one for each core this process may use.
    package static var workers: Int { min(mostWorkers, max(1, Int(valise_core_count()))) }

    /// How many workers there are where each waits for the disk about half of its time: twice as many.
    package static var waitingWorkers: Int { min(mostWorkers, 2 * workers) }

    private struct State {
        var next = 0
        var completed = 0
        var failure: (any Error)?
    }

    /// Runs `work` once for each batch.
    ///
    /// The first error stops the rest: batches that were begun are finished, no other is begun.
    ///
    /// - Parameters:
    ///   - count: how many batches there are.
    ///   - workers: how many threads share the work.
    ///   - makeWorker: makes what one worker needs of its own; called on its thread.
    ///   - work: gets the worker's own and the batch's number.
    ///   - report: called on the calling thread with the number of completed batches; throw to stop.
    /// - Throws: the first error of any closure.
    package static func run<Worker>(
        count: Int, workers: Int = workers, makeWorker: @Sendable () throws -> Worker,
        work: @Sendable (Worker, Int) throws -> Void, report: (Int) throws -> Void = { _ in }
    ) throws {
        let state = Mutex(State())
        @Sendable func runWorker() {
            do {
                let worker = try makeWorker()
                while let batch = next() {
                    try work(worker, batch)
                    state.withLock { $0.completed += 1 }
                }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
        @Sendable func next() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }
        // The workers are waited for below, so nothing outlives this call.
        withoutActuallyEscaping(runWorker) { runWorker in
            let group = DispatchGroup()
            for _ in 0..<min(workers, max(1, count)) {
                WorkerThread.start(in: group) { runWorker() }
            }
            while group.wait(timeout: .now() + .milliseconds(reportInterval)) == .timedOut {
                do {
                    try report(state.withLock { $0.completed })
                } catch {
                    state.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        try report(count)
    }
}
