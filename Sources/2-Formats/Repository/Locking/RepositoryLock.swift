import Synchronization
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseStorage

/// A lock in a repository, which is written anew every five minutes until it is released.
///
/// Any number of programs may hold shared locks, and one an exclusive one. Stale locks, which restic leaves until its user
/// removes them, are removed here: their rules are restic's own (``LockRules``).
package final class RepositoryLock: Sendable {
    private let repository: Repository
    private let owner: LockOwner
    private let isExclusive: Bool
    private let clock: StorageClock
    private let state: Mutex<State>
    private let ticker = Mutex<Ticker?>(nil)

    private struct State {
        var id: ContentID
        var watch: LockWatch
        /// Why the work has to stop.
        var failure: (any Error)?
    }

    /// Between two looks at the clock.
    private static let tick: Duration = .seconds(20)
    private static let readTries = 4

    /// Takes a lock.
    ///
    /// - Parameters:
    ///   - repository: opened.
    ///   - isExclusive: for who removes files.
    ///   - owner: of the lock.
    ///   - wait: how long it is waited for others; not at all by default.
    ///   - stale: is told of each lock that was removed because its owner is gone.
    ///   - checkpoint: is called while it is waited; throw to stop.
    /// - Throws: ``RepositoryError``: `locked`, `damaged` for a lock that cannot be read; `StorageError`; whatever `checkpoint`
    ///   throws.
    package static func take(
        _ repository: Repository, isExclusive: Bool, owner: LockOwner = LockOwner(), wait: Duration = .zero,
        clock: StorageClock = StorageClock(), stale: (LockRecord) throws -> Void = { _ in },
        checkpoint: () throws -> Void = {}
    ) throws -> RepositoryLock {
        let end = clock.now() + wait
        var pause = Duration.seconds(1)
        while true {
            do {
                return try RepositoryLock(repository, isExclusive, owner, clock, stale, checkpoint)
            } catch let error as RepositoryError where error.kind == .locked {
                let rest = end - clock.now()
                guard rest > .zero else { throw error }
                try clock.wait(min(pause, rest), checkpoint)
                pause = min(pause * 2, .seconds(60))
            }
        }
    }

    private init(
        _ repository: Repository, _ isExclusive: Bool, _ owner: LockOwner, _ clock: StorageClock,
        _ stale: (LockRecord) throws -> Void, _ checkpoint: () throws -> Void
    ) throws {
        self.repository = repository
        self.owner = owner
        self.isExclusive = isExclusive
        self.clock = clock
        try Self.refuseConflict(
            repository, isExclusive, try Self.others(repository, except: nil, owner, clock, stale))
        let id = try Self.write(repository, isExclusive, owner, clock)
        state = Mutex(State(id: id, watch: LockWatch(written: Self.moment(clock))))
        do {
            // Somebody may have written a lock at the same moment: whoever sees the other one withdraws.
            try clock.wait(.milliseconds(LockRules.settleMilliseconds), checkpoint)
            try Self.refuseConflict(
                repository, isExclusive, try Self.others(repository, except: id, owner, clock, stale))
        } catch {
            try? repository.store.remove(.file(.locks, id))
            throw error
        }
        ticker.withLock { $0 = Ticker(every: Self.tick) { [weak self] in self?.look() } }
    }

    deinit { ticker.withLock { $0 }?.stop() }

    /// To be called from time to time by whoever works under the lock.
    /// - Throws: where the lock could not be written anew for so long that others may take it for stale.
    package func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Gives it back. A lock that cannot be removed is stale soon.
    package func release() {
        ticker.withLock { $0.take() }?.stop()
        try? repository.store.remove(.file(.locks, state.withLock { $0.id }))
    }

    // MARK: Refreshing

    private func look() {
        let now = Self.moment(clock)
        let (step, id) = state.withLock { ($0.watch.step(now), $0.id) }
        guard step != .work else { return }
        do {
            // Whoever took it for stale has removed it, and may work on its own by now.
            guard step == .refresh || (try repository.store.has(.file(.locks, id))) else {
                throw RepositoryError(.locked, "this lock was removed by another program", .file(.locks, id))
            }
            let renewed = try Self.write(repository, isExclusive, owner, clock)
            state.withLock { state in
                state.id = renewed
                state.watch.refreshed(now)
                state.failure = nil
            }
            try? repository.store.remove(.file(.locks, id))
        } catch  where step == .stop {
            state.withLock { $0.failure = error }
        } catch {
            // There is time for more tries.
        }
    }

    private static func write(
        _ repository: Repository, _ isExclusive: Bool, _ owner: LockOwner, _ clock: StorageClock
    ) throws -> ContentID {
        let record = LockRecord(
            time: RecordTime(seconds: clock.calendarTime()), isExclusive: isExclusive,
            hostname: owner.hostname,
            username: owner.username, processID: owner.processID)
        return try repository.save(.locks, record.json)
    }

    /// Any moment, from which seconds that never go back are counted.
    private static let beginning = ContinuousClock.now

    private static func moment(_ clock: StorageClock) -> LockWatch.Moment {
        LockWatch.Moment(
            wall: clock.calendarTime(), steady: beginning.duration(to: clock.now()).components.seconds)
    }

    // MARK: Others

    private static func refuseConflict(
        _ repository: Repository, _ isExclusive: Bool, _ others: [LockRecord]
    ) throws {
        guard let other = LockRules.conflict(wantingExclusive: isExclusive, among: others) else { return }
        let kind = other.isExclusive ? "exclusively " : ""
        throw RepositoryError(
            .locked,
            "the repository is \(kind)locked by process \(other.processID) on \(other.hostname) since \(other.time.text)",
            repository.store.location)
    }

    /// All locks that count. Stale ones are removed.
    private static func others(
        _ repository: Repository, except own: ContentID?, _ owner: LockOwner, _ clock: StorageClock,
        _ stale: (LockRecord) throws -> Void
    ) throws -> [LockRecord] {
        var found: [LockRecord] = []
        for (id, size) in try repository.store.list(.locks) where id != own && size > 0 {
            guard let lock = try read(id, repository, clock) else { continue }
            let now = UTCTime(seconds: clock.calendarTime(), nanoseconds: 0)
            if LockRules.isStale(lock, now: now, hostname: owner.hostname, isRunning: owner.isRunning) {
                try repository.store.remove(.file(.locks, id))
                try stale(lock)
            } else {
                found.append(lock)
            }
        }
        return found
    }

    /// Nil for one that is gone meanwhile. One that is being written on a bad disk may be whole a moment later.
    private static func read(
        _ id: ContentID, _ repository: Repository, _ clock: StorageClock
    ) throws -> LockRecord? {
        var tries = 1
        while true {
            do {
                return try LockRecord(repository.document(.locks, id))
            } catch let error as StorageError where error.code == .notFound {
                return nil
            } catch let error as RepositoryError where tries < readTries && error.kind == .damaged {
                tries += 1
                clock.sleep(.milliseconds(200))
            }
        }
    }
}
