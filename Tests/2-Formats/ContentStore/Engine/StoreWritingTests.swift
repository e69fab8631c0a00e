import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// What writers store, and what they refuse.
struct StoreWritingTests {
    private let objects = MemoryObjectStore(now: { StoreModel.start })
    private let files: LocalFiles
    private let path: StorePath

    init() throws {
        files = try LocalFiles(["a": [1, 2, 3], "b": [4, 5]])
        path = try StorePath("folder/file")
    }

    private func keys(_ part: String) -> [String] {
        objects.contents.keys.map(\.text).filter { $0.hasPrefix("acct/demo/\(part)") }.sorted()
    }

    @Test func `the portable style has three kinds of objects, entries as text`() throws {
        let report = try StoreModel.writer(objects).upload(files.file("a"), to: path)
        #expect(report.outcome == .uploaded && report.storedChunks == 1 && report.storedBytes == 3)
        let item = try StoreModel.store(objects).resolve(path)
        let entry = try objects.get(StoreModel.layout.entry(path), nil, mostBytes: 1000).content
        #expect(entry.text == "manifest_hash=\(item.indexed.manifest)\nsize=3\nchunks=1\n")
        #expect(objects.contents.count == 3)
        guard case .file(let file) = item.content else { return }
        #expect(file.path == path.text && file.device == "dev-a" && file.clock == VectorClock(["dev-a": 1]))
        #expect(file.written == UInt64(StoreModel.start))
        #expect(try StoreModel.verify(objects).findings.isEmpty)
    }

    @Test func `the guarded style reserves names, stages and commits`() throws {
        _ = try StoreModel.writer(objects, .guarded).upload(files.file("a"), to: path)
        #expect(keys(".tcfs-namespace/v1/").count == 2 && keys("staging/manifests/").count == 1)
        let entry = try objects.get(StoreModel.layout.entry(path), nil, mostBytes: 1000).content
        #expect(entry.text.hasPrefix("{\n  \"version\": 2,\n  \"state\": \"committed\""))
        #expect(try StoreModel.verify(objects).findings.isEmpty)
        let writer = try StoreModel.writer(objects, .guarded)
        for other in ["Folder/file", "folder/FILE", "folder/file/inside"] {
            let error = #expect(throws: ContentStoreError.self) {
                try writer.upload(files.file("a"), to: StorePath(other))
            }
            #expect(error?.kind == .conflict, "\(other)")
        }
        #expect(try StoreModel.files(objects) == [path.text: [1, 2, 3]])
    }

    @Test func `a store without conditional writes has no guarded style`() throws {
        let without = InterceptedObjects(objects, conditional: false)
        let error = #expect(throws: ContentStoreError.self) { try StoreModel.writer(without, .guarded) }
        #expect(error?.kind == .unsupported)
        #expect(objects.contents.isEmpty)
        _ = try StoreModel.writer(without).upload(files.file("a"), to: path)
        _ = try StoreModel.writer(without).upload(files.file("b"), to: path)
        #expect(try StoreModel.files(objects) == [path.text: [4, 5]])
    }

    @Test func `the same content is not stored again`() throws {
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(files.file("a"), to: path)
        let before = objects.contents
        let again = try writer.upload(files.file("a"), to: path)
        #expect(again.outcome == .unchanged && objects.contents == before)
        let copy = try writer.upload(files.file("a"), to: StorePath("copy"))
        #expect(copy.outcome == .uploaded && copy.storedChunks == 0 && copy.chunks == 1)
        #expect(keys("chunks/").count == 1 && keys("manifests/").count == 2)
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `an encrypted file has a key of its own, and another text each time`(style: StoreWriter.Style) throws
    {
        let master = StoreKeys(master: try .random())
        let writer = try StoreModel.writer(objects, style, keys: master)
        _ = try writer.upload(files.file("a"), to: path)
        _ = try writer.upload(files.file("a"), to: StorePath("copy"))
        #expect(keys("chunks/").count == 2)
        let empty = try files.write("empty", [])
        _ = try writer.upload(empty, to: StorePath("empty"))
        let all: [String: [UInt8]] = [path.text: [1, 2, 3], "copy": [1, 2, 3], "empty": []]
        #expect(try StoreModel.files(objects, keys: master) == all)
        #expect(try StoreModel.verify(objects, keys: master).findings.isEmpty)
        let error = #expect(throws: ContentStoreError.self) {
            try StoreModel.writer(objects, style).upload(files.file("b"), to: path)
        }
        #expect(error?.kind == .noKey)
        #expect(try StoreModel.files(objects, keys: master) == all)
    }

    @Test func `clocks decide what replaces what`() throws {
        let writer = try StoreModel.writer(objects)
        let first = try writer.upload(files.file("a"), to: path, StoreModel.options(.nothing))
        let second = try StoreModel.writer(objects, device: "dev-b")
            .upload(files.file("b"), to: path, StoreModel.options(.clock(first.clock)))
        #expect(second.outcome == .uploaded && second.clock == VectorClock(["dev-a": 1, "dev-b": 1]))
        let other = try files.write("c", [6])
        // It goes back to what the other one replaced.
        let late = try writer.upload(other, to: path, StoreModel.options(.clock(first.clock)))
        guard case .conflict(let info) = late.outcome else {
            Issue.record("\(late.outcome)")
            return
        }
        #expect(info.localDevice == "dev-a" && info.remoteDevice == "dev-b" && info.path == path.text)
        #expect(info.localClock == VectorClock(["dev-a": 2]) && info.remoteClock == second.clock)
        let created = try writer.upload(other, to: path, StoreModel.options(.nothing))
        guard case .conflict = created.outcome else {
            Issue.record("\(created.outcome)")
            return
        }
        let digest = try ContentDigest(of: [6] as [UInt8])
        #expect(try writer.checkConflict(path, digest: digest, .clock(first.clock)) == info)
        #expect(try writer.checkConflict(path, digest: digest, .clock(second.clock)) == nil)
        #expect(try StoreModel.files(objects) == [path.text: [4, 5]])
        let forced = try writer.upload(other, to: path)
        #expect(forced.outcome == .uploaded && forced.clock == VectorClock(["dev-a": 2, "dev-b": 1]))
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `what is removed can be found in the trash`(style: StoreWriter.Style) throws {
        let writer = try StoreModel.writer(objects, style)
        let first = try writer.upload(files.file("a"), to: path)
        let entry = try objects.get(StoreModel.layout.entry(path), nil, mostBytes: 1000).content
        let conflict = #expect(throws: ContentStoreError.self) {
            try writer.remove(path, .clock(VectorClock(["dev-b": 1])))
        }
        #expect(conflict?.kind == .conflict)
        let report = try writer.remove(path, .clock(first.clock))
        let copy = try #require(report.safetyCopy)
        #expect(try objects.get(ObjectKey(copy), nil, mostBytes: 1000).content == entry)
        #expect(
            copy.hasPrefix("acct/demo/.tcfs-trash/\(StoreModel.start)-") && copy.hasSuffix("/folder/file"))
        #expect(try StoreModel.files(objects).isEmpty)
        #expect(try !writer.remove(path).wasThere)
        if style == .guarded {
            guard case .deleted = try StoreModel.store(objects).content(of: path) else {
                Issue.record("no tombstone")
                return
            }
        }
        _ = try writer.upload(files.file("b"), to: path)
        #expect(try StoreModel.files(objects) == [path.text: [4, 5]])
        #expect(try StoreModel.verify(objects).isIntact)
    }

    @Test(arguments: StoreWriter.Style.allCases)
    func `folders are there without files`(style: StoreWriter.Style) throws {
        let writer = try StoreModel.writer(objects, style)
        let folder = try StorePath("a/b")
        try writer.createDirectory(folder)
        try writer.createDirectory(folder)
        #expect(try StoreModel.store(objects).isFolder(folder))
        _ = try writer.upload(files.file("a"), to: StorePath("a/b/c"))
        #expect(throws: ContentStoreError.self) { try writer.removeDirectory(folder) }
        #expect(throws: ContentStoreError.self) { try writer.createDirectory(StorePath("a/b/c/d")) }
        try writer.remove(StorePath("a/b/c"))
        #expect(try writer.removeDirectory(folder))
    }

    @Test func `paths that are not canonical are not written`() throws {
        let writer = try StoreModel.writer(objects)
        for text in ["a:b", "con", "x./y", "e\u{301}"] {
            let lenient = try StorePath(lenient: text)
            let error = #expect(throws: ContentStoreError.self) {
                try writer.upload(files.file("a"), to: lenient)
            }
            #expect(error?.kind == .invalid, "\(text)")
        }
        #expect(objects.contents.isEmpty)
    }

    @Test func `a file that changes meanwhile is not published`() throws {
        var random = SeededGenerator(seed: 9)
        let content = StoreModel.bytes(100_000, &random)
        let file = try files.write("large", content)
        let changing = InterceptedObjects(objects) { call in
            guard case .put(let key) = call, key.contains("/chunks/") else { return }
            var output = try FileSystem().openForUpdating(file)
            try output.write([0])
        }
        let error = #expect(throws: ContentStoreError.self) {
            try StoreModel.writer(changing).upload(file, to: path, StoreModel.options())
        }
        #expect(error?.kind == .conflict)
        #expect(try StoreModel.files(objects).isEmpty && keys("index/").isEmpty)
    }

    @Test func `chunks that were removed before they are referred to are stored again`() throws {
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(files.file("a"), to: StorePath("first"))
        let chunk = try #require(objects.contents.keys.first { $0.text.contains("/chunks/") })
        // Somebody collects garbage between our look and our entry.
        let racing = InterceptedObjects(objects) { [objects] call in
            if case .put(let key) = call, key.contains("/index/") { objects.remove(chunk) }
        }
        _ = try StoreModel.writer(racing).upload(files.file("a"), to: path)
        #expect(try StoreModel.files(objects) == ["first": [1, 2, 3], path.text: [1, 2, 3]])
    }

    @Test func `what is cancelled leaves the previous content`() throws {
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(files.file("a"), to: path)
        #expect(throws: Interruption.self) {
            try writer.upload(files.file("b"), to: path) { _ in throw Interruption() }
        }
        #expect(try StoreModel.files(objects) == [path.text: [1, 2, 3]])
    }

    // MARK: Races

    @Test(arguments: StoreWriter.Style.allCases)
    func `of two writers one is told that the other was quicker`(style: StoreWriter.Style) throws {
        for round in 0..<20 {
            let objects = MemoryObjectStore(now: { StoreModel.start })
            let path = path
            _ = try StoreModel.writer(objects, style).upload(files.file("a"), to: path)
            let contents: [[UInt8]] = [[10, UInt8(round)], [20, UInt8(round)]]
            let sources = try contents.enumerated().map { try files.write("w\($0.offset)", $0.element) }
            let basis = WriteBasis.clock(VectorClock(["dev-a": 1]))
            let results = Mutex<[Int: Result<UploadReport, any Error>]>([:])
            try ParallelBatches.run(count: 2, workers: 2) {
            } work: { _, number in
                let result = Result {
                    try StoreModel.writer(objects, style, device: "dev-\(number)")
                        .upload(sources[number], to: path, StoreModel.options(basis))
                }
                results.withLock { $0[number] = result }
            }
            var winners: [Int] = []
            for (number, result) in results.withLock({ $0 }) {
                do {
                    if try result.get().outcome == .uploaded { winners.append(number) }
                } catch let error as ContentStoreError {
                    #expect(error.kind == .conflict)
                }
            }
            // The model: exactly one upload happens, and the store has its content.
            #expect(winners.count == 1, "round \(round)")
            if let winner = winners.first {
                #expect(try StoreModel.files(objects) == [path.text: contents[winner]])
            }
            #expect(try StoreModel.verify(objects).isIntact)
        }
    }

    @Test func `a writer that died and one that comes after agree with a model`() throws {
        let seed = UInt64.random(in: 0...999_999)
        print("writers of a store that die: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let objects = MemoryObjectStore(now: { StoreModel.start })
        var model: [String: [UInt8]] = [:]
        for step in 0..<120 {
            let name = "f\(Int.random(in: 0...4, using: &random))"
            let content = StoreModel.bytes(Int.random(in: 0...9000, using: &random), &random)
            let device = "dev-\(Int.random(in: 0...2, using: &random))"
            let counter = WriteCounter(
                last: Bool.random(using: &random) ? nil : Int.random(in: 0...8, using: &random))
            let isRemoval = Int.random(in: 0...4, using: &random) == 0
            let file = try files.write("source", content)
            do {
                let writer = try StoreModel.writer(counter.wrap(objects), .guarded, device: device)
                if isRemoval {
                    try writer.remove(StorePath(name))
                } else {
                    _ = try writer.upload(file, to: StorePath(name), StoreModel.options())
                }
                model[name] = isRemoval ? nil : content
            } catch is WriteCounter.Killed {
                // Before or after, nothing between.
                let found = try StoreModel.files(objects)[name]
                let after = isRemoval ? nil : content
                #expect(found == model[name] || found == after, "step \(step) of seed \(seed)")
                model[name] = found
            }
            #expect(try StoreModel.files(objects) == model, "step \(step) of seed \(seed)")
        }
        #expect(try StoreModel.verify(objects).isIntact)
    }
}
