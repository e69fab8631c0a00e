import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// Folder and store are made the same, and what both changed is decided by the user.
struct StoreSyncTests {
    private let objects = MemoryObjectStore(now: { StoreModel.start })
    private let here: LocalFiles
    private let there: LocalFiles

    init() throws {
        here = try LocalFiles(["a": [1], "b": [2], "folder/c": [3]])
        there = try LocalFiles()
    }

    private func sync(
        _ files: LocalFiles, _ base: inout SyncBase, _ direction: SyncPlan.Direction = .both,
        device: String, style: StoreWriter.Style = .portable, _ resolution: ConflictResolution? = nil
    ) throws -> (plan: SyncPlan, report: SyncReport) {
        let writer = try StoreModel.writer(objects, style, device: device)
        let plan = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(direction)
        let report = try StoreSync(writer, files.path) { _ in resolution }.run(plan, &base)
        return (plan, report)
    }

    private func base() -> SyncBase { SyncBase(StoreModel.store(objects)) }

    @Test(arguments: StoreWriter.Style.allCases)
    func `changes of both sides arrive on the other`(style: StoreWriter.Style) throws {
        var (first, second) = (base(), base())
        _ = try sync(here, &first, device: "dev-a", style: style)
        _ = try sync(there, &second, device: "dev-b", style: style)
        #expect(try there.contents == here.contents)
        // One changes, one is added, one is deleted.
        try there.write("a", [9, 9])
        try there.write("new/d", [4])
        try there.remove("b")
        let pushed = try sync(there, &second, .push, device: "dev-b", style: style)
        #expect(pushed.plan.counts == [.upload: 2, .removeFromStore: 1] && pushed.report.isComplete)
        let pulled = try sync(here, &first, .pull, device: "dev-a", style: style)
        #expect(pulled.plan.counts == [.download: 2, .removeFromFolder: 1], "\(pulled.plan.steps)")
        #expect(try here.contents == there.contents)
        for (files, device) in [(here, "dev-a"), (there, "dev-b")] {
            var base = device == "dev-a" ? first : second
            let again = try sync(files, &base, device: device, style: style)
            #expect(again.plan.steps.isEmpty)
        }
        #expect(try StoreModel.verify(objects).isIntact)
    }

    @Test func `a push changes no folder, a pull no store`() throws {
        var first = base()
        _ = try sync(here, &first, .push, device: "dev-a")
        var second = base()
        try there.write("own", [7])
        let before = objects.contents
        let pull = try sync(there, &second, .pull, device: "dev-b")
        #expect(objects.contents == before && pull.plan.skipped == 1)
        #expect(try there.contents.count == 4)
        try there.remove("own")
        let local = try there.contents
        try here.write("a", [5])
        _ = try sync(here, &first, .push, device: "dev-a")
        _ = try sync(there, &second, .push, device: "dev-b")
        #expect(try there.contents == local)
    }

    private func makeConflict(_ first: inout SyncBase, _ second: inout SyncBase) throws {
        _ = try sync(here, &first, device: "dev-a")
        _ = try sync(there, &second, device: "dev-b")
        try here.write("a", [10, 10])
        try there.write("a", [20, 20, 20])
        _ = try sync(here, &first, device: "dev-a")
    }

    @Test func `a conflict changes nothing until somebody decides`() throws {
        var (first, second) = (base(), base())
        try makeConflict(&first, &second)
        let stored = try StoreModel.files(objects)
        for _ in 0..<2 {
            let (plan, report) = try sync(there, &second, device: "dev-b")
            #expect(plan.conflicts.map(\.path.text) == ["a"] && report.conflicts.count == 1)
            #expect(try StoreModel.files(objects) == stored)
            #expect(try there.contents["a"] == [20, 20, 20])
        }
    }

    @Test(arguments: ConflictResolution.allCases)
    func `a conflict ends as the user says`(resolution: ConflictResolution) throws {
        var (first, second) = (base(), base())
        try makeConflict(&first, &second)
        let (_, report) = try sync(there, &second, device: "dev-b", resolution)
        #expect(report.isComplete, "\(report)")
        _ = try sync(here, &first, device: "dev-a")
        #expect(try here.contents == there.contents)
        let files = try StoreModel.files(objects)
        switch resolution {
        case .keepLocal: #expect(files["a"] == [20, 20, 20])
        case .keepRemote: #expect(files["a"] == [10, 10])
        case .keepBoth:
            #expect(files["a"] == [10, 10] && files["a.conflict-dev-b"] == [20, 20, 20])
        }
        #expect(files.count == (resolution == .keepBoth ? 4 : 3))
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `what one deletes and the other changes is a conflict`(style: StoreWriter.Style) throws {
        var (first, second) = (base(), base())
        _ = try sync(here, &first, device: "dev-a", style: style)
        _ = try sync(there, &second, device: "dev-b", style: style)
        try here.remove("a")
        try there.write("a", [8, 8])
        _ = try sync(here, &first, device: "dev-a", style: style)
        let undecided = try sync(there, &second, device: "dev-b", style: style)
        #expect(undecided.plan.counts == [.conflict: 1])
        let decided = try sync(there, &second, device: "dev-b", style: style, .keepLocal)
        #expect(decided.report.isComplete)
        #expect(try StoreModel.files(objects)["a"] == [8, 8])
    }

    @Test func `what is missing without a trace was not deleted`() throws {
        var first = base()
        _ = try sync(here, &first, device: "dev-a")
        try objects.remove(StoreModel.layout.entry(StorePath("a")))
        let (plan, _) = try sync(here, &first, device: "dev-a")
        #expect(plan.counts == [.upload: 1])
        #expect(try here.contents["a"] == [1])
    }

    @Test func `what changes after the plan is left for the next one`() throws {
        let base = base()
        let writer = try StoreModel.writer(objects)
        let plan = try SyncPlanner(writer.store, here.path, base, now: { StoreModel.start }).plan(.push)
        try here.write("a", [1, 2, 3, 4])
        _ = try StoreModel.writer(objects, device: "dev-b").upload(there.write("x", [7]), to: StorePath("b"))
        var reached = base
        let report = try StoreSync(writer, here.path).run(plan, &reached)
        #expect(report.changed.map(\.text).sorted() == ["a", "b"])
        #expect(try StoreModel.files(objects) == ["b": [7], "folder/c": [3]])
        #expect(try here.contents["b"] == [2])
    }

    @Test func `the record of both is read as it was written, and is of one store`() throws {
        var first = base()
        _ = try sync(here, &first, device: "dev-a")
        let file = there.file("base")
        #expect(try SyncBase(file) == nil)
        try first.save(file)
        let read = try #require(try SyncBase(file))
        #expect(read == first && read.entries.count == 3)
        let other = ContentStore(objects, StoreLayout(prefix: "other"))
        let error = #expect(throws: ContentStoreError.self) {
            try SyncPlanner(other, here.path, read, now: { StoreModel.start })
        }
        #expect(error?.kind == .invalid)
        for damage in ["", "{}\n", "{\"valise-sync\":1,\"store\":\"x\"}\n{\"path\":\"a\"}\n", "x\n"] {
            try there.write("base", Array(damage.utf8))
            let error = #expect(throws: ContentStoreError.self) { try SyncBase(file) }
            #expect(error?.kind == .damaged)
        }
        try there.write("base", Array("{\"valise-sync\":2,\"store\":\"x\"}\n".utf8))
        #expect(throws: ContentStoreError.self) { try SyncBase(file) }
    }

    // MARK: Comparison

    @Test func `a comparison says what differs`() throws {
        var first = base()
        _ = try sync(here, &first, device: "dev-a")
        try here.write("a", [2])
        try here.write("added", [1])
        try here.remove("folder/c")
        try here.write("folder-x", [1])
        var states: [String: ComparedItem.State] = [:]
        let report = try StoreComparison(StoreModel.store(objects), here.path).run { item in
            states[item.path.text] = item.state
        }
        #expect(
            states == ["a": .changed, "b": .same, "added": .added, "folder/c": .removed, "folder-x": .added])
        #expect(report.counts == [.changed: 1, .same: 1, .added: 2, .removed: 1] && !report.isSame)
    }

    @Test func `random folders and stores are compared as sets are`() throws {
        let seed = UInt64.random(in: 0...999_999)
        print("comparisons of folders and stores: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let names = ["a", "a-b", "a.b", "a/b", "a/c", "b/a/a", "b/a-a", "b/a.a", "c", "é", "z/é/x"]
        for _ in 0..<15 {
            let objects = MemoryObjectStore()
            var (local, remote): ([String: [UInt8]], [String: [UInt8]]) = ([:], [:])
            for name in names.shuffled(using: &random) {
                let isBlocked = { (files: [String: [UInt8]]) in
                    files.keys.contains { $0.hasPrefix(name + "/") || name.hasPrefix($0 + "/") }
                }
                if Bool.random(using: &random), !isBlocked(local) {
                    local[name] = [UInt8.random(in: 0...1, using: &random)]
                }
                if Bool.random(using: &random), !isBlocked(remote) {
                    remote[name] = [UInt8.random(in: 0...1, using: &random)]
                }
            }
            let files = try LocalFiles(local)
            let source = try LocalFiles(remote)
            let writer = try StoreModel.writer(objects)
            for name in remote.keys { _ = try writer.upload(source.file(name), to: StorePath(name)) }
            var found: [String: ComparedItem.State] = [:]
            var order: [StorePath] = []
            _ = try StoreComparison(writer.store, files.path).run { item in
                found[item.path.text] = item.state
                order.append(item.path)
            }
            var expected: [String: ComparedItem.State] = [:]
            for name in Set(local.keys).union(remote.keys) {
                switch (local[name], remote[name]) {
                case (nil, _): expected[name] = .removed
                case (_, nil): expected[name] = .added
                case (let a, let b): expected[name] = a == b ? .same : .changed
                }
            }
            #expect(found == expected && order == order.sorted(), "seed \(seed)")
        }
    }
}
