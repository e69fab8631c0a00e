import StoreContract
import Testing
import ValiseConcurrency
import ValiseFailures

@testable import ValiseStorage

/// What servers of S3 may do to objects and their lists.
@Suite(.enabled(if: StoragePeer.canMisbehave)) struct S3ObjectStoreTests {
    private let peer: StoragePeer
    private let key: ObjectKey

    init() throws {
        peer = try StoragePeer.misbehaving()
        key = try ObjectKey("a b/c")
    }

    private func store(_ behavior: String, _ prefix: String = "") throws -> S3ObjectStore {
        try S3ObjectStore(try peer.bucket(prefix, at: behavior), StoragePeer.impatient)
    }

    // MARK: Conditional writes

    private static let probes = [
        ("strict", true), ("busy", true), ("kept", true), ("ignoring", false), ("refusing", false),
        ("rejecting", false), ("racing", false), ("lying", false),
    ]

    @Test(arguments: probes)
    func `conditional writes are believed where one writer wins each race`(behavior: String, holds: Bool)
        throws
    {
        let store = try store("objects-\(behavior)")
        #expect(try store.hasConditionalWrites() == holds)
        #expect(try store.hasConditionalWrites() == holds)
    }

    @Test func `a probe is at its place, and is removed`() throws {
        let memory = MemoryObjectStore()
        let recorder = RecordingStore(memory)
        #expect(try ConditionalWriteProbe(recorder, prefix: "tcfs/").run())
        let pattern =
            #/tcfs/\.tcfs-capability-probes/conditional-write-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
        #expect(recorder.keys.count == 1)
        #expect(recorder.keys.first?.text.wholeMatch(of: pattern) != nil)
        #expect(memory.contents.isEmpty)
        #expect(storageFailure { _ = try ConditionalWriteProbe(memory, prefix: "/") }?.code == .invalid)
    }

    @Test func `a server that cannot be asked is no answer, and is asked again`() throws {
        for (behavior, kind) in [("status-500", StorageError.Kind.server), ("status-403", .credentials)] {
            let store = try store(behavior)
            for _ in 0..<2 { #expect(storageFailure { _ = try store.hasConditionalWrites() }?.kind == kind) }
        }
    }

    @Test func `a condition that is not met, or not known, has its error`() throws {
        let strict = try store("objects-strict")
        let version = try strict.put(key, [1], if: .isAbsent)
        let occupied = try #require(storageFailure { try strict.put(key, [2], if: .isAbsent) })
        #expect(occupied.kind == .changed && occupied.code == .alreadyExists && !occupied.isTransient)
        try strict.put(key, [2], if: .always)
        #expect(storageFailure { try strict.put(key, [3], if: .isUnchanged(version)) }?.kind == .changed)
        let absent = try ObjectKey("absent")
        #expect(storageFailure { try strict.put(absent, [3], if: .isUnchanged(version)) }?.kind == .changed)
        for behavior in ["refusing", "rejecting"] {
            let store = try store("objects-\(behavior)")
            let error = try #require(storageFailure { try store.put(key, [1], if: .isAbsent) })
            #expect(error.code == .unsupported && error.message.contains("Nothing was written"))
            try store.put(key, [1], if: .always)
        }
        let lost = try store("xml-NoSuchBucket")
        #expect(storageFailure { try lost.put(key, [1], if: .isUnchanged(version)) }?.code == .notFound)
        let busy = try store("xml-ConditionalRequestConflict")
        #expect(storageFailure { try busy.put(key, [1], if: .isAbsent) }?.kind == .busy)
    }

    @Test func `a write whose answer was lost is done, behind retries`() throws {
        let store = RetryingObjectStore(try store("objects-lost"), clock: StoppedClock().clock)
        let version = try store.put(key, [1], if: .isAbsent)
        #expect(try store.get(key, nil, mostBytes: 1).version == version)
        #expect(storageFailure { try store.put(key, [1], if: .isAbsent) }?.kind == .changed)
    }

    @Test func `a write that a server drops for a later one of somebody else is sent again`() throws {
        let late = try store("objects-late")
        let version = try late.put(key, [1], if: .always)
        let found = try late.get(key, nil, mostBytes: 1)
        #expect(found.content == [1] && found.version == version)
        let never = try #require(storageFailure { try store("status-202").put(key, [1], if: .always) })
        #expect(never.kind == .busy && never.isTransient)
    }

    // MARK: Answers

    @Test func `an answer without a version, a size or a time is an error`() throws {
        let tagless = try store("objects-tagless")
        #expect(storageFailure { try tagless.put(key, [1], if: .always) }?.kind == .answer)
        #expect(storageFailure { _ = try tagless.get(key, nil, mostBytes: 1) }?.kind == .answer)
        for behavior in ["echo", "no-length", "bad-length"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.attributes(of: key) }?.kind == .answer, "\(behavior)")
        }
    }

    @Test func `a missing bucket is no missing object`() throws {
        let lost = try store("xml-NoSuchBucket")
        #expect(storageFailure { _ = try lost.attributes(of: key) }?.code == .notFound)
        #expect(storageFailure { try lost.remove(key) }?.code == .notFound)
        #expect(storageFailure { _ = try lost.listed("", false) }?.code == .notFound)
        #expect(try store("xml-NoSuchKey").attributes(of: key) == nil)
    }

    @Test func `keys that may not remove are those of a store that only appends`() throws {
        let kept = try store("objects-kept")
        #expect(storageFailure { try kept.remove(key) }?.kind == .appendOnly)
    }

    @Test func `an object that is larger than wanted is not read to its end`() throws {
        let endless = try store("endless-body")
        #expect(storageFailure { _ = try endless.get(key, nil, mostBytes: 100) }?.code == .damaged)
    }

    @Test func `a request ends when its checkpoint throws`() throws {
        let stopped = Cancellation()
        let store = try S3ObjectStore(
            try peer.bucket(at: "objects-strict"), checkpoint: { try stopped.check() })
        try store.put(key, [1], if: .always)
        stopped.cancel()
        #expect(throws: Interruption.self) { _ = try store.get(key, nil, mostBytes: 1) }
    }

    // MARK: Lists

    @Test func `names that are no keys are left out, and orders of other kinds put right within a page`()
        throws
    {
        #expect(try store("listed-foreign").listed("p/", true).map(\.text) == ["p/good"])
        #expect(
            try store("listed-apart").listed("p/", true).map(\.text) == [
                "p/a.", "p/a/", "p/a0", "p/b/", "p/c",
            ])
        #expect(try store("listed-repeated").listed("p/", true).map(\.text) == ["p/a", "p/b/", "p/c"])
        #expect(try store("listed-repeated", "p").listed("", true).map(\.text) == ["a", "b/", "c"])
        #expect(try store("listed-repeated").listed("p/", true, after: "p/b").map(\.text) == ["p/b/", "p/c"])
    }

    @Test(arguments: ["outside", "negative", "tagless", "timeless", "deep", "slashless"])
    func `a list of what was not asked for is refused`(behavior: String) throws {
        let store = try store("listed-\(behavior)")
        #expect(storageFailure { _ = try store.listed("p/", true) }?.kind == .answer)
    }

    @Test func `lists in another order, without an end, and other documents are refused`() throws {
        let disorder = try store("listed-disorder")
        #expect(storageFailure { _ = try disorder.listed("p/", false) }?.code == .unsupported)
        let undelimited = try store("listed-undelimited")
        #expect(storageFailure { _ = try undelimited.listed("p/", false) }?.kind == .answer)
        for behavior in ["pages", "hostile", "echo", "endless-body"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.listed("", false) }?.kind == .answer, "\(behavior)")
        }
    }
}
