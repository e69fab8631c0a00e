import FaultInjection
import StoreContract
import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

import class ValiseRepository.Repository

@testable import ValiseRepository

/// Locks exclude others, are written anew, and end.
struct RepositoryLockTests {
    private typealias Fixture = RepositoryFixture

    /// A clock that the test moves.
    private final class SetClock: Sendable {
        private let state = Mutex((now: ContinuousClock.now, time: Int64(1_800_000_000)))
        /// Called by who waits.
        let whileAsleep = Mutex<(@Sendable () -> Void)?>(nil)

        func pass(_ seconds: Int64) {
            state.withLock { $0 = ($0.now + .seconds(seconds), $0.time + seconds) }
        }

        var time: Int64 { state.withLock { $0.time } }

        var clock: StorageClock {
            StorageClock(
                now: { self.state.withLock { $0.now } }, calendarTime: { self.time },
                sleep: { duration in
                    self.state.withLock { $0.now += duration }
                    self.whileAsleep.withLock { body in
                        defer { body = nil }
                        return body
                    }?()
                })
        }
    }

    private let store = MemoryStore()
    private let repository: Repository
    private let clock = SetClock()

    init() throws { repository = try Fixture.create(store) }

    private func owner(_ host: String, isRunning: Bool = true) -> LockOwner {
        LockOwner(hostname: host, processID: 7, isRunning: { _ in isRunning })
    }

    private func take(
        _ isExclusive: Bool, _ host: String = "a", wait: Duration = .zero, isRunning: Bool = true,
        _ store: (any BlobStore)? = nil, stale: (LockRecord) throws -> Void = { _ in }
    ) throws -> RepositoryLock {
        try RepositoryLock.take(
            store.map { try Repository.open($0, password: Fixture.secret()) } ?? repository,
            isExclusive: isExclusive, owner: owner(host, isRunning: isRunning), wait: wait,
            clock: clock.clock, stale: stale)
    }

    private func expectLocked(_ isExclusive: Bool, _ host: String = "b") {
        do {
            try take(isExclusive, host).release()
            Issue.record("taken")
        } catch {
            #expect((error as? RepositoryError)?.kind == .locked)
            #expect((error as? RepositoryError)?.code == .inUse)
        }
    }

    private var locks: [LockRecord] {
        get throws {
            try store.list(.locks).map { try LockRecord(repository.document(.locks, $0.id)) }
        }
    }

    // MARK: Conflicts

    @Test func `shared locks live together, an exclusive one alone`() throws {
        let first = try take(false)
        let second = try take(false, "b")
        #expect(try locks.count == 2)
        expectLocked(true)
        first.release()
        expectLocked(true, "c")
        second.release()
        let exclusive = try take(true)
        #expect(try locks.map(\.isExclusive) == [true])
        expectLocked(true)
        expectLocked(false)
        exclusive.release()
        #expect(try locks.isEmpty)
    }

    @Test func `who sees another lock after writing its own withdraws`() throws {
        let repository = repository
        let record = LockRecord(
            time: RecordTime(seconds: clock.time), isExclusive: true, hostname: "rival", username: "u",
            processID: 1)
        clock.whileAsleep.withLock { $0 = { _ = try? repository.save(.locks, record.json) } }
        expectLocked(false)
        #expect(try locks.map(\.hostname) == ["rival"])
    }

    @Test func `who waits gets the lock when it is free`() throws {
        let held = try take(true)
        clock.whileAsleep.withLock { $0 = { held.release() } }
        let waited = try take(true, "b", wait: .seconds(60))
        #expect(try locks.map(\.hostname) == ["b"])
        waited.release()
        let again = try take(true)
        #expect(throws: RepositoryError.self) { try take(true, "b", wait: .seconds(60)) }
        again.release()
    }

    @Test func `of many that want it alone, never two have it`() throws {
        let inside = Atomic(0)
        let most = Atomic(0)
        let entered = Atomic(0)
        try ParallelBatches.run(count: 6, workers: 6) {
        } work: { _, number in
            let own = try Repository.open(store, password: Fixture.secret())
            let lock = try RepositoryLock.take(
                own, isExclusive: true, owner: owner("host \(number)"), wait: .seconds(60))
            let count = inside.add(1, ordering: .sequentiallyConsistent).newValue
            most.max(count, ordering: .sequentiallyConsistent)
            entered.add(1, ordering: .sequentiallyConsistent)
            inside.subtract(1, ordering: .sequentiallyConsistent)
            lock.release()
        }
        #expect(entered.load(ordering: .sequentiallyConsistent) == 6)
        #expect(most.load(ordering: .sequentiallyConsistent) == 1)
        #expect(try locks.isEmpty)
    }

    // MARK: Stale ones

    @Test func `stale locks are removed, and named`() throws {
        _ = try take(true, "other")
        var named: [String] = []
        clock.pass(29 * 60)
        expectLocked(false)
        clock.pass(2 * 60)
        let lock = try take(true, "b", stale: { named.append($0.hostname) })
        #expect(named == ["other"])
        #expect(try locks.map(\.hostname) == ["b"])
        lock.release()
    }

    @Test func `a lock of a dead process of this machine is stale at once`() throws {
        _ = try take(true, "here")
        expectLocked(true, "elsewhere")
        let lock = try take(true, "here", isRunning: false)
        #expect(try locks.count == 1)
        lock.release()
    }

    @Test func `a lock of the future is none of a dead one`() throws {
        clock.pass(100_000)
        _ = try take(true, "ahead")
        clock.pass(-100_000)
        expectLocked(false)
    }

    @Test func `empty lock files are ignored, damaged ones refused`() throws {
        try store.put(.file(.locks, ContentID(hashing: [])), [])
        try take(true).release()
        let damage: [UInt8] = [1, 2, 3]
        try store.put(.file(.locks, ContentID(hashing: damage)), damage)
        do {
            try take(false).release()
            Issue.record("taken")
        } catch let error as RepositoryError {
            #expect(error.kind == .damaged)
        }
    }

    // MARK: Refreshing

    @Test func `a lock is written anew every five minutes`() throws {
        let lock = try take(true)
        let first = try locks
        // Whole seconds are compared, and taking it took a part of one.
        clock.pass(298)
        lock.look()
        #expect(try locks == first)
        clock.pass(2)
        lock.look()
        #expect(try locks.count == 1)
        #expect(try locks[0].time.seconds == clock.time)
        // So it lives for hours.
        for _ in 0..<20 {
            clock.pass(301)
            lock.look()
            try lock.check()
        }
        expectLocked(true)
        lock.release()
        #expect(try locks.isEmpty)
    }

    @Test func `work stops when the lock could not be refreshed, and goes on when it can`() throws {
        let isDown = Mutex(false)
        let failing = InterceptedStore(store) { call in
            if case .put = call, isDown.withLock({ $0 }) { throw FaultyStore.unreachable }
        }
        let lock = try take(true, "a", failing)
        isDown.withLock { $0 = true }
        clock.pass(22 * 60)
        lock.look()
        try lock.check()
        clock.pass(60)
        #expect(throws: StorageError.self) { try lock.check() }
        isDown.withLock { $0 = false }
        try lock.check()
        #expect(try locks.count == 1)
        #expect(try locks[0].time.seconds == clock.time)
        lock.release()
    }

    @Test func `work stops for good when another took the lock for stale`() throws {
        let lock = try take(true)
        clock.pass(31 * 60)
        let other = try take(true, "b")
        for _ in 0..<3 {
            do {
                try lock.check()
                Issue.record("goes on")
            } catch let error as RepositoryError {
                #expect(error.kind == .locked)
            }
        }
        lock.release()
        #expect(try locks.map(\.hostname) == ["b"])
        other.release()
    }

    @Test func `who does what cannot be taken back sees before that its lock is gone`() throws {
        let lock = try take(false)
        try lock.confirm()
        for (id, _) in try store.list(.locks) { try store.remove(.file(.locks, id)) }
        try lock.check()
        #expect(throws: RepositoryError.self) { try lock.confirm() }
        // And it is not written anew.
        clock.pass(301)
        lock.look()
        #expect(throws: RepositoryError.self) { try lock.check() }
        #expect(try locks.isEmpty)
        lock.release()
    }

    @Test func `old locks that could not be removed are removed later`() throws {
        let isDown = Mutex(false)
        let failing = InterceptedStore(store) { call in
            if case .remove = call, isDown.withLock({ $0 }) { throw FaultyStore.unreachable }
        }
        let lock = try take(false, "a", failing)
        isDown.withLock { $0 = true }
        clock.pass(301)
        lock.look()
        #expect(try locks.count == 2)
        isDown.withLock { $0 = false }
        lock.release()
        #expect(try locks.isEmpty)
    }

    @Test func `a fault at any call leaves no lock that somebody holds`() throws {
        for fault in [FaultyStore.Fault.fail(FaultyStore.unreachable), .loseAnswer(FaultyStore.unreachable)] {
            var position = 0
            while true {
                position += 1
                let faulty = FaultyStore(store, fault, at: position)
                if let lock = try? take(true, "a", faulty) { lock.release() }
                // Where the answer to the removal itself is lost, or the removal fails, it becomes stale.
                let left = try locks.count
                #expect(left <= 1)
                for (id, _) in try store.list(.locks) { try store.remove(.file(.locks, id)) }
                guard faulty.wasReached else { break }
            }
        }
    }
}
