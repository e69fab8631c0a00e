import StoreContract
import Testing
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures

@testable import ValiseStorage

/// Objects that go to servers of S3, and come from there, piece by piece; and what belongs to whole buckets.
@Suite(.enabled(if: StoragePeer.canMisbehave)) struct S3StreamTests {
    private let peer: StoragePeer
    private let key: ObjectKey
    private let content = BlobStoreContract.content(300_000)

    init() throws {
        peer = try StoragePeer.misbehaving()
        key = try ObjectKey("a b/c")
    }

    private func store(
        _ behavior: String, checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws -> S3ObjectStore {
        try S3ObjectStore(try peer.bucket(at: behavior), StoragePeer.impatient, checkpoint: checkpoint)
    }

    private var source: ObjectSource { ObjectSource(TestSource(content), digest: SHA256.hash(content)) }

    private func read(_ store: any ObjectStore, _ range: Range<Int64>? = nil) throws -> [UInt8] {
        var read: [UInt8] = []
        try store.read(key, range ?? 0..<Int64(content.count)) { piece, _ in read.append(contentsOf: piece) }
        return read
    }

    @Test func `a source goes out again from its start where a connection that was kept is closed`() throws {
        let tired = try store("objects-tired")
        for _ in 0..<5 { try tired.put(key, source, if: .always) }
        #expect(try read(tired) == content)
        let torn = RetryingObjectStore(try store("objects-torn"), clock: StoppedClock().clock)
        try torn.put(key, source, if: .always)
        #expect(try read(torn) == content)
    }

    @Test func `a server stores nothing that has another digest than was said`() throws {
        let strict = try store("objects-strict")
        let other = ObjectSource(TestSource(content), digest: SHA256.hash([1]))
        #expect(storageFailure { try strict.put(key, other, if: .always) }?.kind == .answer)
        #expect(try strict.attributes(of: key) == nil)
    }

    @Test func `a source that cannot be read ends the request with its failure`() throws {
        let strict = try store("objects-strict")
        let failing = ObjectSource(TestSource(content, failsAt: 1000), digest: SHA256.hash(content))
        let error = try #require(storageFailure { try strict.put(key, failing, if: .always) })
        #expect(error.message == "cannot read the test's source" && !error.isTransient)
        #expect(try strict.attributes(of: key) == nil)
    }

    @Test func `a write of a source whose answer was lost is done, behind retries`() throws {
        let store = RetryingObjectStore(try store("objects-lost"), clock: StoppedClock().clock)
        let version = try store.put(key, source, if: .isAbsent)
        #expect(try store.attributes(of: key)?.version == version)
        #expect(storageFailure { try store.put(key, source, if: .isAbsent) }?.kind == .changed)
    }

    @Test func `what a server sends beside the range is an error or left out, never taken for the object`()
        throws
    {
        let kinds: [(String, Range<Int64>, StorageError.Kind)] = [
            ("objects-long", 0..<1000, .answer), ("objects-short", 0..<1000, .answer),
            ("objects-whole", 10..<1000, .answer), ("objects-tagless", 0..<1000, .answer),
            ("objects-cut", 0..<300_000, .answer),
        ]
        for (behavior, range, kind) in kinds {
            let store = try store(behavior)
            let put = storageFailure { try store.put(key, source, if: .always) }
            #expect(put == nil || behavior == "objects-tagless")
            #expect(storageFailure { _ = try read(store, range) }?.kind == kind, "\(behavior)")
        }
        let whole = try store("objects-whole")
        #expect(try read(whole, 0..<1000) == Array(content.prefix(1000)))
        #expect(try whole.read(key, 0..<1000) { _, _ in } == 300_000)
        for behavior in ["other-range", "short-range", "endless-body", "no-length", "echo"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try read(store, 0..<100) }?.kind == .answer, "\(behavior)")
        }
    }

    @Test func `an object that breaks off is continued, unless it is another one by then`() throws {
        let cut = try store("objects-cut")
        try cut.put(key, source, if: .always)
        #expect(try read(RetryingObjectStore(cut, clock: StoppedClock().clock)) == content)
        let memory = MemoryObjectStore()
        try memory.put(key, content, if: .always)
        let key = key
        let changing = RetryingObjectStore(ChangingStore(memory, key), clock: StoppedClock().clock)
        #expect(storageFailure { _ = try read(changing) }?.kind == .changed)
    }

    /// Breaks off in the middle of the first object, which is another one then.
    private struct ChangingStore: ObjectStore {
        let store: MemoryObjectStore
        let key: ObjectKey

        init(_ store: MemoryObjectStore, _ key: ObjectKey) { (self.store, self.key) = (store, key) }

        var location: String { store.location }
        func hasConditionalWrites() throws -> Bool { true }
        func attributes(of key: ObjectKey) throws -> ObjectAttributes? { store.attributes(of: key) }
        func remove(_ key: ObjectKey) throws { store.remove(key) }
        func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
            try store.get(key, range, mostBytes: mostBytes)
        }
        func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
            try store.put(key, content, if: condition)
        }
        func list(
            _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
        ) throws {
            try store.list(prefix, isDelimited: isDelimited, after: after, body)
        }

        func read(
            _ key: ObjectKey, _ range: Range<Int64>,
            _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
        ) throws -> Int64 {
            try store.read(key, range.lowerBound..<range.lowerBound + 1000, take)
            try store.put(key, store.get(key, nil, mostBytes: .max).content, if: .always)
            throw FaultyStore.brokenAnswer
        }
    }

    @Test func `what a reader throws is not repeated, and ends the request`() throws {
        struct Stop: Error {}
        let slow = try store("objects-slow")
        try slow.put(key, source, if: .always)
        var pieces = 0
        #expect(throws: Stop.self) {
            try RetryingObjectStore(slow).read(key, 0..<300_000) { _, _ in
                pieces += 1
                throw Stop()
            }
        }
        #expect(pieces == 1)
        #expect(try read(slow) == content)
    }

    @Test func `a request with a source ends when its checkpoint throws`() throws {
        let stopped = Cancellation()
        let store = try store("objects-strict") { try stopped.check() }
        try store.put(key, source, if: .always)
        stopped.cancel()
        #expect(throws: Interruption.self) { try store.put(key, source, if: .always) }
        #expect(throws: Interruption.self) { _ = try read(store) }
    }

    // MARK: Connections

    @Test func `as many connections are kept as are wished`() throws {
        for (kept, isSame) in [(0, false), (1, true)] {
            var settings = StoragePeer.impatient
            settings.mostIdleConnections = kept
            let transfer = HTTPTransfer(settings)
            let url = "\(peer.text)/port"
            let ports = try (0..<3).map { _ in try transfer.perform(HTTPRequest(.get, url)).body }
            #expect((Set(ports).count == 1) == isSame, "\(kept)")
        }
    }

    // MARK: Objects that expire

    @Test func `a rule is made once, and rules of others stay`() throws {
        let none = try store("rules-none")
        #expect(try none.setExpiry(below: "chunks/", afterDays: 4))
        #expect(try !none.setExpiry(below: "chunks/", afterDays: 4))
        let foreign = try #require(
            storageFailure { _ = try store("rules-foreign").setExpiry(below: "p/", afterDays: 3) })
        #expect(foreign.code == .alreadyExists && foreign.message.contains("p/"))
        for behavior in ["unknown", "md5"] {
            let store = try store("rules-\(behavior)")
            #expect(
                storageFailure { _ = try store.setExpiry(below: "p/", afterDays: 3) }?.code == .unsupported)
        }
        let other: [(String, StorageError.Kind)] = [
            ("rules-broken", .answer), ("status-503", .busy), ("xml-AccessDenied", .credentials),
            ("xml-NoSuchBucket", .noStore),
        ]
        for (behavior, kind) in other {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.setExpiry(below: "p/", afterDays: 3) }?.kind == kind)
        }
        for (prefix, days) in [("", 3), ("p/", 0), ("/", 3), ("../", 3)] {
            #expect(
                storageFailure { _ = try none.setExpiry(below: prefix, afterDays: days) }?.code == .invalid)
        }
    }
}
