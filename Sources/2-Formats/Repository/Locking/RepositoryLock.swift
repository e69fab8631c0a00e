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
    /// Whether nobody else holds a lock.
    package let isExclusive: Bool
    private let clock: StorageClock
    private let state: Mutex<State>
    /// One look at a time.
    private let turn = Mutex(())
    /// It ends with this object, and is not waited for: its own thread may be the last one that has the object.
    private let ticker = Mutex<Ticker?>(nil)

    private struct State {
        var id: ContentID
        var watch: LockWatch
        /// Why the work has to stop.
        var failure: (any Error)?
        /// Locks of ours that could not be removed.
        var leftovers: [ContentID] = []
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
                // Those that withdrew from each other would meet again otherwise.
                try clock.wait(min(pause * Double.random(in: 0.5...1), rest), checkpoint)
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

    /// To be called from time to time by whoever works under the lock.
    /// - Throws: where the lock could not be written anew for so long that others may take it for stale.
    package func check() throws {
        // A machine that slept has no time for the next tick.
        if state.withLock({ $0.watch.step(Self.moment(clock)) }) == .stop { look() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Whether it is still there, by a look into the store: before what cannot be taken back. A program whose clock is wrong, or
    /// a user, may have removed it, and others may work on their own since then.
    /// - Throws: as ``check()``; ``RepositoryError``: `locked` where it is gone; `StorageError`.
    package func confirm() throws {
        try check()
        try turn.withLock { _ in
            let id = state.withLock { $0.id }
            if try !repository.store.has(.file(.locks, id)) { throw Self.removed(id) }
        }
    }

    private static func removed(_ id: ContentID) -> RepositoryError {
        RepositoryError(.locked, "this lock was removed by another program", .file(.locks, id))
    }

    /// Whether it is the lock for what is going to be done.
    /// - Throws: ``RepositoryError``: `invalid` where it is another repository's, or a shared one; as ``check()``.
    func checkExclusive(for repository: Repository) throws {
        guard isExclusive, repository === self.repository else {
            throw RepositoryError(
                .invalid, "files are removed under an exclusive lock only. Nothing was changed.",
                repository.store.location)
        }
        try check()
    }

    /// Gives it back. A lock that cannot be removed is stale soon.
    package func release() {
        ticker.withLock { $0.take() }?.stop()
        let ids = state.withLock { [$0.id] + $0.leftovers }
        for id in ids { try? repository.store.remove(.file(.locks, id)) }
    }

    // MARK: Refreshing

    /// Writes it anew where it is time. Called by a thread of its own now and then.
    func look() { turn.withLock { _ in refreshIfDue() } }

    private func refreshIfDue() {
        let now = Self.moment(clock)
        let (step, id) = state.withLock { ($0.watch.step(now), $0.id) }
        guard step != .work else { return }
        do {
            // Whoever took it for stale has removed it, and may work on its own by now.
            guard try repository.store.has(.file(.locks, id)) else { throw Self.removed(id) }
            let renewed = try Self.write(repository, isExclusive, owner, clock)
            state.withLock { state in
                state.id = renewed
                state.watch.refreshed(now)
                state.failure = nil
                state.leftovers.append(id)
            }
            removeLeftovers()
        } catch let error as RepositoryError where error.kind == .locked {
            // For good, however early it is.
            state.withLock { $0.failure = error }
        } catch  where step == .stop {
            state.withLock { $0.failure = error }
        } catch {
            // There is time for more tries.
        }
    }

    private func removeLeftovers() {
        for id in state.withLock({ $0.leftovers }) {
            guard (try? repository.store.remove(.file(.locks, id))) != nil else { continue }
            state.withLock { $0.leftovers.removeAll { $0 == id } }
        }
    }

    private static func write(
        _ repository: Repository, _ isExclusive: Bool, _ owner: LockOwner, _ clock: StorageClock
    ) throws -> ContentID {
        let record = LockRecord(
            time: RecordTime(seconds: clock.calendarTime()), isExclusive: isExclusive,
            hostname: owner.hostname,
            username: owner.username, processID: owner.processID)
        let (id, bytes) = try repository.codecs.use { try UnpackedFile.encode(record.json, &$0) }
        do {
            try repository.store.put(.file(.locks, id), bytes)
        } catch {
            // The answer may be lost, and the lock be there for half an hour.
            try? repository.store.remove(.file(.locks, id))
            throw error
        }
        return id
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
            } catch let error as RepositoryError where error.kind == .damaged {
                guard tries < readTries else {
                    // It may be anybody's: who knows that it is nobody's has to say so.
                    throw RepositoryError(
                        .damaged,
                        "the lock cannot be read: \(error.message). Until this file is removed, the repository counts as locked.",
                        .file(.locks, id), cause: error)
                }
                tries += 1
                clock.sleep(.milliseconds(200))
            }
        }
    }
}
