import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// What strangers put into a store does no harm.
struct HostileStoreTests {
    private let objects = MemoryObjectStore()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func put(_ key: ObjectKey, _ content: [UInt8]) throws {
        try objects.put(key, content, if: .always)
    }

    /// Stores a manifest under its name with an entry for it.
    private func publish(
        _ path: String, _ manifest: [UInt8], size: Int64, chunks: Int, target: String? = nil
    ) throws {
        let name = try FileManifest.name(of: manifest)
        try put(StoreModel.layout.manifest(name), manifest)
        let item = IndexedItem(manifest: name, size: size, chunks: chunks, target: target)
        try put(StoreModel.layout.entry(StorePath(lenient: path)), IndexEntry.committed(item).encoded())
    }

    private func manifest(
        _ path: String, size: Int64, _ chunks: [[UInt8]], content: [UInt8]? = nil
    ) throws -> FileManifest {
        FileManifest(
            content: try ContentDigest(of: content ?? Array(chunks.joined())), size: size,
            chunks: try chunks.map { chunk in
                let name = ObjectName.digest(try ContentDigest(of: chunk))
                try put(StoreModel.layout.chunk(name), chunk)
                return name
            }, clock: VectorClock(["dev-a": 1]), device: "dev-a", written: 1, path: path)
    }

    private func refuses(_ path: String, _ kinds: Set<ContentStoreError.Kind> = [.damaged]) throws {
        let store = StoreModel.store(objects)
        let error = #expect(throws: ContentStoreError.self) {
            try store.hydrate(store.resolve(StorePath(lenient: path)), to: folder.appending("out"))
        }
        #expect(error.map { kinds.contains($0.kind) } == true, "\(String(describing: error))")
        #expect(try TemporaryFolder.contents(of: folder.path).isEmpty)
    }

    @Test func `sizes that contradict each other are refused`() throws {
        let (one, two) = ([UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 50))
        let right = try manifest("a", size: 150, [one, two])
        try publish("a", right.encoded(), size: 150, chunks: 2)
        _ = try StoreModel.store(objects).resolve(StorePath("a"))
        for (size, chunks) in [(149, 2), (151, 2), (150, 1), (150, 3), (Int64.max, 2)] as [(Int64, Int)] {
            try publish("a", right.encoded(), size: size, chunks: chunks)
            try refuses("a")
        }
        for size in [149, 151, 140] as [Int64] {
            var other = right
            other.size = size
            try publish("a", other.encoded(), size: size, chunks: 2)
            try refuses("a")
        }
        var swapped = right
        swapped.chunks.reverse()
        try publish("a", swapped.encoded(), size: 150, chunks: 2)
        try refuses("a")
    }

    @Test func `what needs more than the disk has is not begun`() throws {
        var huge = try manifest("a", size: 3, [[1, 2, 3]])
        huge.size = .max
        try publish("a", huge.encoded(), size: .max, chunks: 1)
        let store = StoreModel.store(objects)
        let error = #expect(throws: FileError.self) {
            try store.hydrate(store.resolve(StorePath("a")), to: folder.appending("out"))
        }
        #expect(error?.code == .noSpace)
    }

    @Test func `a manifest of a million chunks is refused before it is in memory`() throws {
        let line = Array(("    \"" + String(repeating: "a", count: 64) + "\",\n").utf8)
        var text = Array("{\n  \"version\": 2,\n  \"file_hash\": \"".utf8)
        for _ in 0..<1_000_000 { text += line }
        let item = IndexedItem(manifest: .digest(.ofNothing), size: 1_000_000, chunks: 1_000_000)
        try put(StoreModel.layout.manifest(item.manifest), text)
        try put(StoreModel.layout.entry(StorePath("a")), #require(item.encodedText))
        let error = #expect(throws: StorageError.self) {
            try StoreModel.store(objects).resolve(StorePath("a"))
        }
        #expect(error?.code == .damaged)
        #expect(try StoreModel.verify(objects).errors.map(\.kind) == [.wrongManifest])
    }

    @Test func `one chunk a hundred thousand times does not fill the disk`() throws {
        var many = try manifest("a", size: 100_000, [[UInt8](repeating: 7, count: 16_384)])
        many.chunks = Array(repeating: many.chunks[0], count: 100_000)
        try publish("a", many.encoded(), size: 100_000, chunks: 100_000)
        try refuses("a")
    }

    @Test func `manifests of other paths and under other names are refused`() throws {
        let right = try manifest("a", size: 3, [[1, 2, 3]])
        try publish("b", right.encoded(), size: 3, chunks: 1)
        try refuses("b")
        let name = ObjectName.other("evil")
        try put(StoreModel.layout.manifest(name), right.encoded())
        let item = IndexedItem(manifest: name, size: 3, chunks: 1)
        try put(StoreModel.layout.entry(StorePath("a")), #require(item.encodedText))
        try refuses("a")
    }

    @Test func `keys that lead elsewhere are no paths`() throws {
        let bytes = Array("manifest_hash=x\nsize=0\nchunks=0\n".utf8)
        for text in ["a\\..\\b", "c//d"] {
            guard let key = try? ObjectKey(StoreModel.layout.index + text) else { continue }
            try put(key, bytes)
        }
        var unusable = 0
        try StoreModel.store(objects).list(isRecursive: true) { item in
            if case .unusable = item { unusable += 1 } else { Issue.record("\(item)") }
            return true
        }
        #expect(unusable == 1)
    }

    @Test(arguments: [
        "/etc/passwd", "../../x", "../..", "a/../../..", "b/../c", "../.git/config", ".GIT", "x/.git/hooks",
        "a\\b",
    ])
    func `symbolic links that lead out are not made`(target: String) throws {
        let link = LinkManifest(
            target: target, clock: VectorClock(["d": 1]), device: "d", written: 1, path: "links/a")
        try publish("links/a", link.encoded(), size: Int64(target.utf8.count), chunks: 0, target: target)
        try refuses("links/a", [.unsupported])
        #expect(throws: ContentStoreError.self) {
            try StoreModel.writer(objects).uploadLink(to: target, at: StorePath("links/b"))
        }
    }

    @Test(arguments: ["../shared/notes.txt", "b", "./b/c", "../other"])
    func `symbolic links that stay are made`(target: String) throws {
        let report = try StoreModel.writer(objects).uploadLink(to: target, at: StorePath("links/a"))
        #expect(report.outcome == .uploaded)
        #expect(try StoreModel.files(objects) == ["links/a": Array("-> \(target)".utf8)])
        #expect(try StoreModel.verify(objects).symbolicLinks == 1)
    }

    @Test func `nothing is written through a link of a folder`() throws {
        let files = try LocalFiles()
        let outside = folder.appending("outside")
        try FileSystem().makeDirectory(outside)
        try FileSystem().makeSymbolicLink(files.file("sub"), to: outside.string)
        let source = try LocalFiles(["x": [1]])
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(source.file("x"), to: StorePath("sub/x"))
        var base = SyncBase(writer.store)
        let plan = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(.pull)
        let report = try StoreSync(writer, files.path).run(plan, &base)
        #expect(!report.isComplete)
        #expect(try FileSystem().list(outside).isEmpty)
    }

    @Test func `links in a circle are only links`() throws {
        let writer = try StoreModel.writer(objects)
        _ = try writer.uploadLink(to: "b", at: StorePath("a"))
        _ = try writer.uploadLink(to: "a", at: StorePath("b"))
        let files = try LocalFiles()
        var base = SyncBase(writer.store)
        for _ in 0..<2 {
            let plan = try SyncPlanner(writer.store, files.path, base, now: { StoreModel.start }).plan(.pull)
            let report = try StoreSync(writer, files.path).run(plan, &base)
            #expect(report.isComplete)
        }
        #expect(try FileSystem().list(files.path).map(\.kind) == [.symbolicLink, .symbolicLink])
        #expect(try StoreComparison(writer.store, files.path).run { _ in }.isSame)
    }
}
