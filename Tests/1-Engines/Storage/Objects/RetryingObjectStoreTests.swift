import StoreContract
import Synchronization
import Testing
import ValiseFailures
import ValiseStorage

struct RetryingObjectStoreTests {
    private let clock = StoppedClock()
    private let memory = MemoryObjectStore()
    private let key: ObjectKey

    init() throws { key = try ObjectKey("a/b") }

    private func retrying(_ store: any ObjectStore) -> RetryingObjectStore {
        RetryingObjectStore(store, clock: clock.clock, jitter: { 1 })
    }

    private func losing(at position: Int) -> RetryingObjectStore {
        retrying(FaultyObjectStore(memory, .loseAnswer(FaultyStore.brokenAnswer), at: position))
    }

    @Test func `a write whose answer was lost is done, and has the version that it got`() throws {
        let first = try losing(at: 1).put(key, [1], if: .isAbsent)
        #expect(first == ObjectVersion("1"))
        let second = try losing(at: 1).put(key, [2], if: .isUnchanged(first))
        #expect(second == ObjectVersion("2") && memory.contents == [key: [2]])
        #expect(try memory.put(key, [3], if: .isUnchanged(second)) == ObjectVersion("3"))
        #expect(clock.slept == .seconds(1))
    }

    /// A line on which another writer is quicker once, and on which lists break off.
    private final class BadLine: ObjectStore {
        private let store: MemoryObjectStore
        private let isQuicker: (@Sendable (MemoryObjectStore) throws -> Void)?
        private let writes = Mutex(0)

        /// - Parameter isQuicker: what another writer does before the first write, which is lost.
        init(_ store: MemoryObjectStore, isQuicker: (@Sendable (MemoryObjectStore) throws -> Void)? = nil) {
            self.store = store
            self.isQuicker = isQuicker
        }

        var location: String { store.location }
        func hasConditionalWrites() throws -> Bool { true }
        func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
            try store.get(key, range, mostBytes: mostBytes)
        }
        func attributes(of key: ObjectKey) throws -> ObjectAttributes? { store.attributes(of: key) }
        func remove(_ key: ObjectKey) throws { store.remove(key) }

        func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
            let number = writes.withLock { writes in
                writes += 1
                return writes
            }
            if number == 1, let isQuicker {
                try isQuicker(store)
                throw FaultyStore.unreachable
            }
            return try store.put(key, content, if: condition)
        }

        func list(
            _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
        ) throws {
            let left = try store.listed(prefix, isDelimited, after: after)
            for object in left.prefix(3) {
                guard try body(object) else { return }
            }
            if left.count > 3 { throw FaultyStore.brokenAnswer }
        }
    }

    @Test(arguments: [[9], [1, 2], [], nil] as [[UInt8]?])
    func `where another has written or removed meanwhile, a repeated write is told so`(other: [UInt8]?) throws
    {
        let version = try memory.put(key, [0], if: .always)
        let key = key
        let store = retrying(
            BadLine(memory) { memory in
                if let other { try memory.put(key, other, if: .always) } else { memory.remove(key) }
            })
        #expect(storageFailure { try store.put(key, [1], if: .isUnchanged(version)) }?.kind == .changed)
        #expect(memory.contents[key] == other)
    }

    @Test func `a condition that is not met the first time is no matter of repeating`() throws {
        try memory.put(key, [1], if: .always)
        let counting = FaultyObjectStore(memory, .none)
        #expect(storageFailure { try retrying(counting).put(key, [1], if: .isAbsent) }?.kind == .changed)
        #expect(counting.count == 1 && clock.slept == .zero)
    }

    @Test func `every kind of request is repeated, also the look at what is there`() throws {
        for position in 1...3 {
            // The first answer is lost, and then the look fails once.
            memory.remove(key)
            let once = FaultyObjectStore(memory, .fail(FaultyStore.unreachable), at: position)
            let store = retrying(FaultyObjectStore(once, .loseAnswer(FaultyStore.brokenAnswer), at: 1))
            try store.put(key, [1], if: .isAbsent)
            #expect(memory.contents == [key: [1]])
        }
        func store() -> RetryingObjectStore {
            retrying(FaultyObjectStore(memory, .fail(FaultyStore.unreachable), at: 1))
        }
        #expect(try store().get(key, nil, mostBytes: 1).content == [1])
        #expect(try store().attributes(of: key)?.size == 1)
        #expect(try store().hasConditionalWrites())
        #expect(try store().listed("", false).count == 1)
        try store().remove(key)
        #expect(memory.contents.isEmpty)
    }

    @Test func `a list that breaks off again and again is continued, and nothing comes twice`() throws {
        for number in 100..<130 { try memory.put(ObjectKey("\(number)"), [], if: .always) }
        // More often than one request is tried.
        let store = RetryingObjectStore(
            BadLine(memory), RetryRules(mostAttempts: 2), clock: clock.clock, jitter: { 1 })
        #expect(try store.listed("", false).map(\.text) == (100..<130).map { "\($0)" })
    }

    @Test func `what the reader of a list throws is not repeated`() throws {
        try memory.put(key, [], if: .always)
        let counting = FaultyObjectStore(memory, .none)
        let found = storageFailure {
            try retrying(counting).list("", isDelimited: false, after: nil) { _ in
                throw FaultyStore.unreachable
            }
        }
        #expect(found?.kind == .unreachable && counting.count == 1)
    }
}
