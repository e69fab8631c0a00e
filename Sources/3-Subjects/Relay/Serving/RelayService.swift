import Logging
import NIOCore
import NIOPosix
import Synchronization

/// What the connections of a relay have in common.
final class RelayService: Sendable {
    let limits: RelayLimits
    let executor: CommandExecutor
    /// For all that waits for a disk or takes long.
    ///
    /// Not the `BlockingExecutor` of all: that runs tasks, and the connections are none but handlers of event loops. A task, and a
    /// thread that ends with it, for each piece of 64 KiB would cost more than to encrypt it. And there are few threads, so that
    /// strangers cannot keep the whole process busy.
    let threads: NIOThreadPool
    let buffers: SharedBuffers
    let windows: SharedBuffers
    let transfers: TransferPlaces
    let traffic: TrafficLimits
    /// Whether uploads are taken.
    let intake: Intake
    let failures: FailureLog
    let counters = LiveCounters()
    let logger: Logger
    private let isCompacting = Atomic(false)

    let metrics: RelayMetrics

    init(
        limits: RelayLimits, executor: CommandExecutor, logger: Logger, metrics: RelayMetrics = RelayMetrics()
    ) {
        self.metrics = metrics
        self.limits = limits
        self.logger = logger
        threads = NIOThreadPool(numberOfThreads: limits.threads)
        buffers = SharedBuffers(bytes: limits.sharedBuffers)
        windows = SharedBuffers(bytes: limits.uploadWindows)
        transfers = TransferPlaces(limits.transfers)
        traffic = TrafficLimits(limits)
        intake = executor.intake
        failures = FailureLog(logger, metrics: metrics)
        var executor = executor
        executor.failures = failures
        self.executor = executor
        threads.start()
    }

    /// Removes what is too old, on a thread.
    func expire() {
        threads.submit { [executor, logger] state in
            guard case .active = state else { return }
            do {
                let count = try executor.store.expire()
                if count > 0 { logger.info("expired", metadata: ["chunks": "\(count)"]) }
            } catch {
                logger.error("cannot remove expired chunks", metadata: ["error": .failure(error)])
            }
        }
    }

    /// Writes the store's log anew, on a thread, where it cannot wait for the next look.
    func compactWhereUrgent() {
        guard executor.store.wantsCompaction, !isCompacting.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        threads.submit { [self] state in
            defer { isCompacting.store(false, ordering: .releasing) }
            guard case .active = state else { return }
            do {
                try executor.store.compactWhereWorthwhile()
            } catch {
                logger.error("compacting the store log failed", metadata: ["error": .failure(error)])
            }
        }
    }

    /// When all connections are gone: waits for what the threads still do, and closes the store.
    func close() async {
        do {
            try await threads.runIfActive { [executor] in try executor.store.close() }
        } catch {
            logger.error("cannot save the counters", metadata: ["error": .failure(error)])
        }
        do {
            try await threads.shutdownGracefully()
        } catch {
            logger.error("stopping the relay's threads failed", metadata: ["error": .failure(error)])
        }
    }
}
