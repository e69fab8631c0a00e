import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// Reading of files and of parts of them.
struct StoreReadingTests {
    private static let path = "media/film.bin"

    /// A store with one file of many small chunks.
    private static func stored(
        _ count: Int, seed: UInt64, encrypted: Bool
    ) throws -> (objects: MemoryObjectStore, keys: StoreKeys, content: [UInt8]) {
        var random = SeededGenerator(seed: seed)
        let content = StoreModel.bytes(count, &random)
        let keys = encrypted ? StoreKeys(master: try .random()) : .none
        let objects = MemoryObjectStore()
        let files = try LocalFiles(["film": content])
        _ = try StoreModel.writer(objects, keys: keys).upload(
            files.file("film"), to: StorePath(path), StoreModel.options())
        return (objects, keys, content)
    }

    @Test(arguments: [false, true]) func `any range has what the file has there`(encrypted: Bool) throws {
        let seed = UInt64.random(in: 0...999_999)
        print("ranges of a stored file: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let (objects, keys, content) = try Self.stored(150_000, seed: seed, encrypted: encrypted)
        for _ in 0..<60 {
            // Another map each time: it grows from the front or from the back.
            let store = StoreModel.store(objects, keys: keys)
            let file = try StoredFile(store, store.resolve(StorePath(Self.path)))
            for _ in 0..<4 {
                let start = Int.random(in: 0...content.count, using: &random)
                let end = min(content.count, start + Int.random(in: 0...40_000, using: &random))
                let range = Int64(start)..<Int64(end)
                #expect(
                    try file.bytes(at: range.lowerBound, upTo: end - start) == Array(content[start..<end]),
                    "\(range) of seed \(seed)")
                let streamed = Mutex<[UInt8]>([])
                try file.read(range) { piece in
                    streamed.withLock { $0 += piece }
                } report: {
                }
                #expect(streamed.withLock { $0 } == Array(content[start..<end]), "\(range) of seed \(seed)")
            }
        }
    }

    @Test func `a range fetches only the chunks that it needs`() throws {
        let (objects, _, content) = try Self.stored(400_000, seed: 3, encrypted: false)
        let fetched = Mutex(0)
        let counted = InterceptedObjects(objects) { call in
            if case .get(let key) = call, key.contains("/chunks/") { fetched.withLock { $0 += 1 } }
        }
        let store = StoreModel.store(counted)
        let item = try store.resolve(StorePath(Self.path))
        let file = try StoredFile(store, item)
        #expect(try file.bytes(at: 399_000, upTo: 1000) == Array(content[399_000...]))
        #expect(fetched.withLock { $0 } <= 2 && item.content.chunks.count > 40)
        // What was read last is in memory.
        let before = fetched.withLock { $0 }
        #expect(try file.bytes(at: 399_500, upTo: 100) == Array(content[399_500..<399_600]))
        #expect(fetched.withLock { $0 } == before)
    }

    @Test(arguments: [1, 2, 8]) func `chunks are in their order, however many are in flight`(
        inFlight: Int
    ) throws {
        let (objects, keys, content) = try Self.stored(300_000, seed: 11, encrypted: true)
        // Some answers come late.
        let slow = InterceptedObjects(objects) { call in
            if case .get(let key) = call, key.utf8.last.map({ $0 % 3 == 0 }) == true {
                FileSystem.wait(.milliseconds(2))
            }
        }
        let folder = try TemporaryFolder(inMemory: true)
        for memory in [1, 20_000, 20 << 20] {
            let store = StoreModel.store(slow, keys: keys) {
                ($0.chunksInFlight, $0.chunkMemory) = (inFlight, memory)
            }
            let file = folder.appending("\(memory)")
            try store.hydrate(store.resolve(StorePath(Self.path)), to: file)
            #expect(try FileSystem().contents(of: file, limit: 1 << 20) == content)
        }
    }

    @Test func `mode and time are those of the file`() throws {
        let objects = MemoryObjectStore()
        let files = try LocalFiles()
        let source = try files.write("a", [1, 2, 3])
        try FileSystem().setPermissions([.ownerReadWrite, .groupRead], of: source)
        try FileSystem().openForUpdating(source).setModificationTime(1_600_000_000, nanoseconds: 123_456_789)
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(source, to: StorePath("a"))
        let target = files.file("b")
        try writer.store.hydrate(writer.store.resolve(StorePath("a")), to: target)
        let found = try #require(try FileSystem().attributes(of: target))
        #expect(found.permissions == [.ownerReadWrite, .groupRead])
        #expect(found.modificationTime == 1_600_000_000 && found.modificationNanoseconds == 123_456_789)
        guard case .file(let manifest) = try writer.store.resolve(StorePath("a")).content else { return }
        #expect(manifest.mode == 0o100640)
    }

    @Test func `a cancelled fetch leaves nothing, and what was there`() throws {
        let (objects, _, _) = try Self.stored(300_000, seed: 5, encrypted: false)
        let slow = InterceptedObjects(objects) { call in
            if case .get = call { FileSystem.wait(.milliseconds(5)) }
        }
        let store = StoreModel.store(slow)
        let files = try LocalFiles(["film": [9]])
        let item = try store.resolve(StorePath(Self.path))
        var options = HydrationOptions()
        options.isReplacing = true
        #expect(throws: Interruption.self) {
            try store.hydrate(item, to: files.file("film"), options) { _ in throw Interruption() }
        }
        #expect(try files.contents == ["film": [9]])
        let error = #expect(throws: FileError.self) { try store.hydrate(item, to: files.file("film")) }
        #expect(error?.code == .alreadyExists)
    }

    // MARK: Damage

    @Test(arguments: [false, true]) func `no damage of a chunk reaches a file`(encrypted: Bool) throws {
        let (objects, keys, _) = try Self.stored(40_000, seed: 21, encrypted: encrypted)
        let chunks = objects.contents.filter { $0.key.text.contains("/chunks/") }
        let folder = try TemporaryFolder(inMemory: true)
        for (key, content) in chunks {
            var flipped = content
            flipped[content.count / 2] ^= 1
            for damaged in [flipped, Array(content.dropLast()), content + [0], []] {
                let copy = try StoreModel.copy(of: objects)
                try copy.put(key, damaged, if: .always)
                let store = StoreModel.store(copy, keys: keys)
                let error = #expect(throws: ContentStoreError.self) {
                    try store.hydrate(store.resolve(StorePath(Self.path)), to: folder.appending("x"))
                }
                #expect(error?.kind == .damaged)
                let report = try StoreModel.verify(copy, keys: keys)
                #expect(report.counts[.damagedChunk] == 1 && !report.isIntact)
            }
            let copy = try StoreModel.copy(of: objects)
            copy.remove(key)
            let store = StoreModel.store(copy, keys: keys)
            let error = #expect(throws: ContentStoreError.self) {
                try store.hydrate(store.resolve(StorePath(Self.path)), to: folder.appending("x"))
            }
            #expect(error?.kind == .missing)
            #expect(try StoreModel.verify(copy, keys: keys).errors.map(\.kind) == [.missingChunk])
        }
        #expect(try TemporaryFolder.contents(of: folder.path).isEmpty)
    }

    @Test func `another key opens nothing, and none says so`() throws {
        let (objects, keys, _) = try Self.stored(9000, seed: 22, encrypted: true)
        let other = StoreKeys(master: try .random())
        let wrong = #expect(throws: ContentStoreError.self) { try StoreModel.files(objects, keys: other) }
        #expect(wrong?.kind == .wrongKey)
        let none = #expect(throws: ContentStoreError.self) { try StoreModel.files(objects) }
        #expect(none?.kind == .noKey)
        #expect(try StoreModel.verify(objects, keys: other).counts == [.wrongKey: 1])
        let without = try StoreModel.verify(objects)
        #expect(without.counts == [.noKey: 1] && without.isIntact && without.readChunks == without.chunks)
        #expect(try StoreModel.verify(objects, keys: keys).verifiedFiles == 1)
    }

    @Test func `all parts together are everything`() throws {
        let (objects, keys, _) = try Self.stored(200_000, seed: 23, encrypted: true)
        let chunk = try #require(objects.contents.keys.first { $0.text.contains("/chunks/") })
        var content = try objects.get(chunk, nil, mostBytes: 1 << 20).content
        content[0] ^= 1
        try objects.put(chunk, content, if: .always)
        var found = 0
        var files = 0
        for part in 1...5 {
            let report = try StoreVerification(
                StoreModel.store(objects, keys: keys), reading: .part(part, of: 5), now: { 0 }
            ).run()
            found += report.counts[.damagedChunk] ?? 0
            files += report.counts[.wrongContent] ?? 0
        }
        #expect(found == 1 && files == 1)
        let structure = try StoreVerification(
            StoreModel.store(objects, keys: keys), reading: .none, now: { 0 })
        #expect(try structure.run().isIntact)
        for part in [VerificationShare.part(0, of: 5), .part(6, of: 5), .part(1, of: 0)] {
            #expect(throws: ContentStoreError.self) {
                try StoreVerification(StoreModel.store(objects), reading: part, now: { 0 })
            }
        }
    }
}
