import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// What a collection removes, and what it never removes.
struct StoreCollectionTests {
    private static let day: Int64 = 86_400
    private let clock = TestClock()
    private let objects: MemoryObjectStore
    private let files: LocalFiles

    /// A time that tests move.
    private final class TestClock: Sendable {
        private let time = Mutex(StoreModel.start)

        var now: Int64 { time.withLock { $0 } }

        func pass(_ seconds: Int64) { time.withLock { $0 += seconds } }
    }

    init() throws {
        objects = MemoryObjectStore(now: { [clock] in clock.now })
        files = try LocalFiles(["a": [1], "b": [2], "c": [3]])
    }

    private func plan(trashAge: Int64? = nil) throws -> CollectionPlan {
        try StoreCollection(
            StoreModel.store(objects), CollectionRules(trashAge: trashAge), now: { [clock] in clock.now }
        ).plan()
    }

    private func run(_ plan: CollectionPlan) throws -> CollectionReport {
        try plan.run(now: { [clock] in clock.now })
    }

    private func upload(_ name: String, to path: String) throws {
        _ = try StoreModel.writer(objects).upload(files.file(name), to: StorePath(path))
    }

    @Test func `only what is old and unused is removed`() throws {
        try upload("a", to: "x")
        try upload("b", to: "x")
        // A young manifest may be named any moment, so that its chunk is used.
        #expect(try plan().isEmpty && plan().young == 1)
        clock.pass(Self.day - 1)
        #expect(try plan().isEmpty)
        clock.pass(1)
        let planned = try plan()
        #expect(planned.chunks.count == 1 && planned.manifests.count == 1 && planned.bytes > 1)
        let report = try run(planned)
        #expect(report.removedChunks == 1 && report.removedManifests == 1 && report.spared == 0)
        #expect(report.removedBytes == planned.bytes)
        #expect(try StoreModel.files(objects) == ["x": [2]])
        #expect(try StoreModel.verify(objects).findings.isEmpty)
    }

    @Test func `less than a day of grace is refused`() throws {
        #expect(throws: ContentStoreError.self) { try CollectionRules(grace: Self.day - 1) }
        #expect(throws: ContentStoreError.self) { try CollectionRules(trashAge: 3600) }
        try upload("a", to: "x")
        let planned = try plan()
        clock.pass(Self.day + 1)
        #expect(throws: ContentStoreError.self) { try run(planned) }
    }

    @Test func `what is used again since the plan stays`() throws {
        try upload("a", to: "x")
        try upload("b", to: "x")
        clock.pass(2 * Self.day)
        let planned = try plan()
        #expect(planned.chunks.count == 1)
        // The chunk is there, so it is only referred to.
        try upload("a", to: "y")
        let report = try run(planned)
        #expect(report.removedChunks == 0 && report.spared == 1)
        #expect(try StoreModel.files(objects) == ["x": [2], "y": [1]])
    }

    @Test func `what is stored again since the plan stays`() throws {
        try upload("a", to: "x")
        try upload("b", to: "x")
        clock.pass(2 * Self.day)
        let planned = try plan()
        let chunk = planned.chunks[0].key
        // Somebody is about to refer to it.
        try objects.put(chunk, [1], if: .always)
        #expect(try run(planned).removedChunks == 0)
        #expect(objects.attributes(of: chunk) != nil)
    }

    @Test func `a manifest that nobody names yet keeps its chunks`() throws {
        try upload("a", to: "x")
        try upload("b", to: "x")
        clock.pass(2 * Self.day)
        let planned = try plan()
        let chunk = try #require(StoreModel.layout.chunk(at: planned.chunks[0].key))
        let manifest = FileManifest(
            content: try ContentDigest(of: [1] as [UInt8]), size: 1, chunks: [chunk], clock: VectorClock(),
            device: "", written: 0, path: "new")
        let bytes = manifest.encoded()
        try objects.put(StoreModel.layout.manifest(FileManifest.name(of: bytes)), bytes, if: .always)
        #expect(try run(planned).removedChunks == 0)
    }

    @Test func `what was deleted stays until it is old, if that is wanted`() throws {
        try upload("a", to: "x")
        try upload("b", to: "y")
        try StoreModel.writer(objects).remove(StorePath("x"))
        clock.pass(10 * Self.day)
        #expect(try plan().isEmpty)
        #expect(try plan(trashAge: 20 * Self.day).isEmpty)
        let planned = try plan(trashAge: 5 * Self.day)
        #expect(planned.trash.count == 1 && planned.manifests.count == 1 && planned.chunks.count == 1)
        #expect(try run(planned).removedCopies == 1)
        #expect(try StoreModel.files(objects) == ["y": [2]])
        #expect(try StoreModel.verify(objects).findings.isEmpty)
    }

    @Test func `what was uploaded without a path stays`() throws {
        try upload("b", to: "y")
        let content: [UInt8] = [1, 2, 3]
        let chunk = ObjectName.digest(try ContentDigest(of: content))
        try objects.put(StoreModel.layout.chunk(chunk), content, if: .always)
        let direct = FileManifest(
            content: try ContentDigest(of: content), size: 3, chunks: [chunk], clock: VectorClock(),
            device: "", written: 0, path: nil)
        try objects.put(
            StoreModel.layout.manifest(.digest(direct.content)), direct.encoded(), if: .always)
        clock.pass(10 * Self.day)
        #expect(try plan().isEmpty)
        #expect(try StoreModel.verify(objects).findings.isEmpty)
    }

    @Test func `nothing is planned where somebody's chunks are unknown`() throws {
        #expect(throws: ContentStoreError.self) { try plan() }
        try upload("a", to: "x")
        let manifest = try #require(objects.contents.keys.first { $0.text.contains("/manifests/") })
        let content = try objects.get(manifest, nil, mostBytes: 10_000).content
        clock.pass(10 * Self.day)
        for damaged in [Array("{".utf8), [], nil] as [[UInt8]?] {
            if let damaged {
                try objects.put(manifest, damaged, if: .always)
            } else {
                objects.remove(manifest)
            }
            #expect(throws: ContentStoreError.self) { try plan() }
        }
        try objects.put(manifest, content, if: .always)
        _ = try plan()
        try objects.put(StoreModel.layout.entry(StorePath("z")), Array("nothing".utf8), if: .always)
        #expect(throws: ContentStoreError.self) { try plan() }
    }

    @Test func `what is pending is used, and so is what it replaces`() throws {
        let counter = WriteCounter(last: 5)
        let writer = try StoreModel.writer(counter.wrap(objects), .guarded)
        try upload("a", to: "x")
        _ = try? writer.upload(files.file("b"), to: StorePath("x"))
        guard
            case .preparing = try IndexEntry(
                parsing: objects.get(StoreModel.layout.entry(StorePath("x")), nil, mostBytes: 10_000).content)
        else {
            // The order of writes has changed.
            Issue.record("not interrupted while it published")
            return
        }
        clock.pass(10 * Self.day)
        #expect(try plan().isEmpty)
    }
}
