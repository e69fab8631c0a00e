import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// Runs that are killed at each of their writes: a reader has the state before or the state after, and the next run completes it.
struct StoreFaultTests {
    private static let path = "folder/file"

    private func content(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return StoreModel.bytes(count, &random)
    }

    /// Does something with a store, killed after each number of changes.
    private func sweep(
        _ start: MemoryObjectStore, _ run: (any ObjectStore) throws -> Void,
        _ check: (MemoryObjectStore, _ wasKilled: Bool, Int) throws -> Void
    ) throws {
        var last = 0
        while true {
            let objects = try StoreModel.copy(of: start)
            let counter = WriteCounter(last: last)
            var wasKilled = false
            do {
                try run(counter.wrap(objects))
            } catch is WriteCounter.Killed {
                wasKilled = true
            }
            try check(objects, wasKilled, last)
            guard wasKilled else { break }
            last += 1
            try #require(last < 1000)
        }
        #expect(last > 0, "nothing was killed")
    }

    @Test(arguments: StoreWriter.Style.allCases, [false, true])
    func `an upload is there or not`(style: StoreWriter.Style, encrypted: Bool) throws {
        let keys = encrypted ? StoreKeys(master: try .random()) : .none
        let (old, new) = (content(1, 9000), content(2, 12_000))
        let files = try LocalFiles(["old": old, "new": new])
        let path = try StorePath(Self.path)
        for isFirst in [true, false] {
            let start = MemoryObjectStore(now: { StoreModel.start })
            if !isFirst {
                _ = try StoreModel.writer(start, style, keys: keys)
                    .upload(files.file("old"), to: path, StoreModel.options())
            }
            let before: [String: [UInt8]] = isFirst ? [:] : [path.text: old]
            let after = [path.text: new]
            func upload(_ objects: any ObjectStore) throws {
                _ = try StoreModel.writer(objects, style, keys: keys)
                    .upload(files.file("new"), to: path, StoreModel.options())
            }
            try sweep(start, upload) { objects, wasKilled, step in
                let found = try StoreModel.files(objects, keys: keys)
                #expect(wasKilled ? found == before || found == after : found == after, "step \(step)")
                let report = try StoreModel.verify(objects, keys: keys)
                #expect(report.isIntact, "step \(step): \(report.errors)")
                try upload(objects)
                #expect(try StoreModel.files(objects, keys: keys) == after, "step \(step)")
                #expect(try StoreModel.verify(objects, keys: keys).counts[.unfinished] == nil, "step \(step)")
            }
        }
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `a removal is there or not`(style: StoreWriter.Style) throws {
        let files = try LocalFiles(["old": content(1, 3000)])
        let path = try StorePath(Self.path)
        let start = MemoryObjectStore(now: { StoreModel.start })
        _ = try StoreModel.writer(start, style).upload(files.file("old"), to: path)
        let before = try StoreModel.files(start)
        try sweep(start) { objects in
            try StoreModel.writer(objects, style).remove(path)
        } _: { objects, wasKilled, step in
            let found = try StoreModel.files(objects)
            #expect(wasKilled ? found == before || found.isEmpty : found.isEmpty, "step \(step)")
            #expect(try StoreModel.verify(objects).isIntact)
            try StoreModel.writer(objects, style).remove(path)
            #expect(try StoreModel.files(objects).isEmpty)
        }
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `each file of a push is there or not, and the next push has the rest`(
        style: StoreWriter.Style
    ) throws {
        let files = try LocalFiles(["a": content(1, 3000), "b/c": content(2, 9000), "d": []])
        let start = MemoryObjectStore(now: { StoreModel.start })
        var first = SyncBase(StoreModel.store(start))
        func push(_ objects: any ObjectStore, _ base: inout SyncBase) throws -> SyncReport {
            let writer = try StoreModel.writer(objects, style)
            let plan = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(.push)
            return try StoreSync(writer, files.path, StoreModel.options()).run(plan, &base)
        }
        _ = try push(start, &first)
        let old = try files.contents
        #expect(try StoreModel.files(start) == old)
        try files.write("a", content(3, 5000))
        try files.write("e", content(4, 100))
        try files.remove("b/c")
        let new = try files.contents
        let base = first
        var reached = base
        try sweep(start) { objects in
            reached = base
            _ = try push(objects, &reached)
        } _: { objects, _, step in
            for (path, content) in try StoreModel.files(objects) {
                #expect(content == old[path] || content == new[path], "\(path) at step \(step)")
            }
            #expect(try StoreModel.verify(objects).isIntact, "step \(step)")
            let report = try push(objects, &reached)
            #expect(report.isComplete, "step \(step): \(report)")
            #expect(try StoreModel.files(objects) == new, "step \(step)")
            let again = try push(objects, &reached)
            #expect(again.done.isEmpty, "step \(step)")
        }
    }

    @Test func `a collection takes nothing that is used`() throws {
        let later = StoreModel.start + 3 * 86_400
        let files = try LocalFiles(["a": content(1, 9000), "b": content(2, 9000)])
        let start = MemoryObjectStore(now: { StoreModel.start })
        let writer = try StoreModel.writer(start)
        for name in ["a", "b"] {
            _ = try writer.upload(files.file(name), to: StorePath(name), StoreModel.options())
        }
        _ = try writer.upload(files.file("b"), to: StorePath("a"), StoreModel.options())
        let before = try StoreModel.files(start)
        func collect(_ objects: any ObjectStore) throws -> CollectionReport {
            try StoreCollection(StoreModel.store(objects), CollectionRules(), now: { later }).plan()
                .run(now: { later })
        }
        try sweep(start) { objects in
            _ = try collect(objects)
        } _: { objects, _, step in
            #expect(try StoreModel.files(objects) == before, "step \(step)")
            #expect(try StoreModel.verify(objects).isIntact, "step \(step)")
            _ = try collect(objects)
            let report = try StoreModel.verify(objects)
            #expect(report.findings.isEmpty, "step \(step): \(report.findings)")
        }
    }

    /// A disk that fails at each operation of a pull.
    @Test func `a pull leaves each file as it was or as it will be`() throws {
        let objects = MemoryObjectStore(now: { StoreModel.start })
        let (old, new) = (content(1, 5000), content(2, 6000))
        let source = try LocalFiles(["a": new, "b/c": content(3, 100), "link": [1]])
        let writer = try StoreModel.writer(objects)
        for name in ["a", "b/c"] { _ = try writer.upload(source.file(name), to: StorePath(name)) }
        _ = try writer.uploadLink(to: "a", at: StorePath("link"))
        var position = 1
        while true {
            let files = try LocalFiles(["a": old])
            let plan = FaultPlan(.crash, at: position)
            let fileSystem = FileSystem(interposer: plan)
            var base = SyncBase(writer.store)
            let steps = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(.pull)
            _ = try? StoreSync(writer, files.path, fileSystem: fileSystem) { _ in .keepRemote }
                .run(steps, &base)
            let found = try files.contents
            #expect(found["a"] == old || found["a"] == new, "position \(position)")
            let again = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(.pull)
            let report = try StoreSync(writer, files.path) { _ in .keepRemote }.run(again, &base)
            #expect(report.isComplete, "position \(position): \(report)")
            #expect(try StoreComparison(writer.store, files.path).run { _ in }.isSame, "position \(position)")
            guard plan.wasReached else { break }
            position += 1
            try #require(position < 1000)
        }
        #expect(position > 5)
    }
}
