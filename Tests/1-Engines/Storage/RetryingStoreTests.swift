import StoreContract
import Synchronization
import Testing
import ValiseFailures
import ValiseStorage

struct RetryingStoreTests {
    private let content: [UInt8] = [1, 2, 3]
    private let name = stored(.snapshots, [1, 2, 3])
    private let clock = StoppedClock()

    /// A store whose first calls fail.
    private func failing(
        _ store: any BlobStore, _ count: Int, _ fault: FaultyStore.Fault = .fail(FaultyStore.unreachable),
        after answers: Int = 0
    ) -> any BlobStore {
        (0..<count).reduce(store) { store, _ in FaultyStore(store, fault, at: answers + 1) }
    }

    private final class Observed: Sendable {
        private let retries = Mutex<[RetryingStore.Retry]>([])

        var all: [RetryingStore.Retry] { retries.withLock { $0 } }

        func add(_ retry: RetryingStore.Retry) { retries.withLock { $0.append(retry) } }
    }

    @Test func `pauses double up to the longest, and half of each is random`() throws {
        let rules = RetryRules(firstPause: .seconds(1), longestPause: .seconds(10), mostAttempts: 9)
        let pauses = (1...6).map { rules.pause(after: $0, jitter: 1) }
        #expect(pauses == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect((1...6).map { rules.pause(after: $0, jitter: 0) } == pauses.map { $0 / 2 })
        #expect(rules.pause(after: .max, jitter: 7) == .seconds(10))
        #expect(rules.pause(after: 0, jitter: -1) == .milliseconds(500))
        let short = RetryRules(firstPause: .seconds(9), longestPause: .seconds(2))
        #expect(short.pause(after: 1, jitter: 1) == .seconds(2))
    }

    @Test func `what fails for a moment is repeated, and the observer is told`() throws {
        let observed = Observed()
        let memory = MemoryStore()
        let store = RetryingStore(
            failing(memory, 3), RetryRules(firstPause: .seconds(1)), clock: clock.clock, jitter: { 1 },
            observer: { observed.add($0) })
        try store.put(name, content)
        #expect(memory.files == [name: content])
        #expect(observed.all.map(\.attempts) == [1, 2, 3])
        #expect(observed.all.map(\.pause) == [1, 2, 4].map { .seconds($0) })
        #expect(observed.all.allSatisfy { $0.error.kind == .unreachable })
        #expect(clock.slept == .seconds(7))
    }

    @Test func `every kind of request is repeated`() throws {
        let memory = MemoryStore([name: content])
        func store() -> RetryingStore { RetryingStore(failing(memory, 2), clock: clock.clock) }
        try store().create()
        #expect(try store().get(name) == content)
        #expect(try store().get(name, 1..<2) == [2])
        #expect(try store().size(of: name) == 3)
        #expect(try store().list(.snapshots).count == 1)
        #expect(try store().has(name))
        try store().remove(name)
        #expect(memory.files.isEmpty)
    }

    @Test func `a lost answer is no failure`() throws {
        let memory = MemoryStore()
        func store() -> RetryingStore {
            RetryingStore(failing(memory, 1, .loseAnswer(FaultyStore.brokenAnswer)), clock: clock.clock)
        }
        try store().put(.config, content)
        try store().put(name, content)
        #expect(memory.files == [name: content, .config: content])
        try store().remove(name)
        #expect(memory.files == [.config: content])
    }

    @Test func `the number of attempts is limited`() throws {
        let inner = FaultyStore(failing(MemoryStore(), 10), .none)
        let store = RetryingStore(inner, RetryRules(mostAttempts: 4), clock: clock.clock)
        #expect(storageFailure { try store.put(name, content) }?.kind == .unreachable)
        #expect(inner.count == 4)
        let once = FaultyStore(failing(MemoryStore(), 10), .none)
        let never = RetryingStore(once, RetryRules(mostAttempts: 1), clock: StoppedClock().clock)
        #expect(storageFailure { try never.put(name, content) }?.kind == .unreachable)
        #expect(once.count == 1)
    }

    @Test func `the time is limited, that of requests included`() throws {
        let rules = RetryRules(
            firstPause: .seconds(1), longestPause: .seconds(1), mostAttempts: 1000, longestTime: .seconds(10))
        let inner = FaultyStore(failing(MemoryStore(), 50), .none)
        let store = RetryingStore(inner, rules, clock: clock.clock, jitter: { 1 })
        #expect(storageFailure { try store.put(name, content) } != nil)
        #expect(inner.count == 11 && clock.slept == .seconds(10))
        // Each request takes four seconds.
        let slow = StoppedClock()
        let other = FaultyStore(failing(MemoryStore(), 50), .none)
        let slower = RetryingStore(
            other, rules, clock: slow.clock, jitter: { 1 }, checkpoint: { slow.pass(.seconds(4)) })
        #expect(storageFailure { try slower.put(name, content) } != nil)
        #expect(other.count < 4)
    }

    @Test func `for a server that was never reached nobody waits as long as for one that was`() throws {
        let inner = FaultyStore(failing(MemoryStore(), 50), .none)
        let store = RetryingStore(inner, clock: clock.clock, jitter: { 1 })
        #expect(storageFailure { try store.put(name, content) }?.kind == .unreachable)
        #expect(clock.slept > .seconds(10) && clock.slept <= .seconds(30))
        let seen = StoppedClock()
        let patient = RetryingStore(failing(MemoryStore(), 50, after: 1), clock: seen.clock, jitter: { 1 })
        try patient.put(name, content)
        #expect(storageFailure { try patient.put(name, content) }?.kind == .unreachable)
        #expect(seen.slept > .seconds(180))
        // An answer that says no is one.
        let refused = StoppedClock()
        let after = RetryingStore(failing(MemoryStore(), 50, after: 1), clock: refused.clock, jitter: { 1 })
        #expect(storageFailure { _ = try after.get(name) }?.code == .notFound)
        #expect(storageFailure { try after.put(name, content) }?.kind == .unreachable)
        #expect(refused.slept > .seconds(180))
    }

    @Test(arguments: [
        StorageError.Kind.general, .credentials, .clock, .appendOnly,
    ])
    func `what stays as it is, is not repeated`(kind: StorageError.Kind) throws {
        let inner = FaultyStore(MemoryStore(), .fail(StorageError(kind, .denied, "no")), at: 1)
        let store = RetryingStore(inner, clock: clock.clock)
        #expect(storageFailure { try store.put(name, content) }?.kind == kind)
        #expect(inner.count == 1 && clock.slept == .zero)
        #expect(storageFailure { _ = try store.get(name) }?.code == .notFound)
        #expect(inner.count == 2)
    }

    @Test func `a pause ends when the checkpoint throws`() throws {
        let inner = FaultyStore(failing(MemoryStore(), 50), .none)
        let clock = clock
        let store = RetryingStore(
            inner, RetryRules(firstPause: .seconds(30)), clock: clock.clock, jitter: { 1 },
            checkpoint: { if clock.slept >= .seconds(5) { throw Interruption() } })
        #expect(throws: Interruption.self) { try store.put(name, content) }
        #expect(inner.count == 1 && clock.slept == .seconds(5))
    }

    @Test func `a list that broke off is not seen twice, and its reader's failures are not repeated`() throws
    {
        var files: [StoredName: [UInt8]] = [:]
        for number in 0..<10 { files[stored(.index, [UInt8(number)])] = [UInt8(number)] }
        let inner = FaultyStore(MemoryStore(files), .cutAnswer, at: 1)
        let store = RetryingStore(inner, clock: clock.clock)
        #expect(try store.list(.index).count == 10)
        #expect(inner.count == 2)
        var seen = 0
        let found = storageFailure {
            try store.list(.index) { _, _ in
                seen += 1
                throw FaultyStore.unreachable
            }
        }
        #expect(found?.kind == .unreachable && seen == 1 && inner.count == 3)
    }
}
