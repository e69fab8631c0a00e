import FaultInjection
import StoreContract
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseStorage

import class ValiseRepository.Repository

@testable import ValiseRepository

/// Blobs are stored once, by any number of threads, and what could not be stored is counted on by nobody.
struct RepositoryWriterTests {
    private typealias Fixture = RepositoryFixture

    private let store = MemoryStore()
    private let repository: Repository

    init() throws { repository = try Fixture.create(store) }

    @Test func `several threads store each blob once`() throws {
        let writer = RepositoryWriter(repository)
        let blobs = Mutex<[ContentID: [UInt8]]>([:])
        try ParallelBatches.run(count: 8, workers: 8) {
        } work: { _, number in
            var random = SeededGenerator(seed: 91)
            var saver = try BlobSaver(writer, .data)
            // All the same ones, in another order.
            let contents = (0..<200).map { _ in
                Fixture.bytes(Int.random(in: 1...3000, using: &random), &random)
            }
            for place in contents.indices {
                let content = contents[(place + number * 25) % contents.count]
                let id = try saver.save(content, compresses: number % 2 == 0)
                blobs.withLock { $0[id] = content }
            }
            try saver.flush()
        }
        try writer.flushIndex()
        let all = blobs.withLock { $0 }
        #expect(writer.totals.dataBlobs == all.count)
        #expect(repository.blobCount == all.count)
        let opened = try Fixture.open(store)
        let ids = Array(all.keys) + Array(all.keys.prefix(3))
        let read = Mutex<[Int: [UInt8]]>([:])
        try BlobReader(opened).read(ids, .data) { number, content in read.withLock { $0[number] = content } }
        #expect(read.withLock { $0.count } == ids.count)
        #expect(read.withLock { $0 }.allSatisfy { all[ids[$0.key]] == $0.value })
    }

    @Test func `an index is written once a minute`() throws {
        let now = Mutex(ContinuousClock.now)
        let writer = RepositoryWriter(repository, clock: { now.withLock { $0 } })
        var saver = try BlobSaver(writer, .data)
        for number in 0..<3 {
            try saver.save([1, UInt8(number)])
            try saver.flush()
            now.withLock { $0 += .seconds(40) }
        }
        #expect(try store.list(.index).count == 1)
        try writer.flushIndex()
        // The third pack began no minute that has ended.
        #expect(try store.list(.index).count == 1)
        #expect(try Fixture.open(store).blobCount == 3)
    }

    @Test func `a blob that does not fit is taken on by nobody`() throws {
        let writer = RepositoryWriter(repository)
        var saver = try BlobSaver(writer, .data)
        #expect(throws: RepositoryError.self) { try saver.save([]) }
        let large = [UInt8](repeating: 1, count: PackBuilder.largestBlob + 1)
        #expect(throws: RepositoryError.self) { try saver.save(large) }
        #expect(throws: RepositoryError.self) { try saver.save(large) }
        try writer.flushIndex()
        #expect(try store.list(.index).isEmpty)
    }

    @Test func `an index is refused while blobs are not flushed`() throws {
        let writer = RepositoryWriter(repository)
        var saver = try BlobSaver(writer, .data)
        try saver.save([1])
        #expect(throws: RepositoryError.self) { try writer.flushIndex() }
        try saver.flush()
        try writer.flushIndex()
        try Fixture.expectIntact(store)
    }

    @Test func `after a pack that could not be stored nothing is named`() throws {
        let failing = InterceptedStore(store) { call in
            if case .put(.file(.data, _)) = call { throw FaultyStore.unreachable }
        }
        let repository = try Fixture.open(failing)
        let writer = RepositoryWriter(repository)
        var saver = try BlobSaver(writer, .data)
        try saver.save([1])
        #expect(throws: StorageError.self) { try saver.flush() }
        try saver.save([2])
        #expect(throws: StorageError.self) { try saver.flush() }
        #expect(throws: StorageError.self) { try writer.flushIndex() }
        #expect(try store.list(.index).isEmpty)
    }

    @Test func `a disk that fails at any operation leaves nothing that names what is not stored`() throws {
        var random = SeededGenerator(seed: 94)
        let files: Fixture.Files = [
            "a": Fixture.bytes(40_000, &random), "deep/b": Fixture.bytes(500, &random),
        ]
        for position in 1... {
            let folder = try TemporaryFolder(inMemory: true)
            let path = folder.appending("repository")
            let repository = try Fixture.create(FolderStore(path))
            let kept = try Fixture.backUp(["c": [1, 2, 3]], to: repository)
            let plan = FaultPlan(position % 2 == 0 ? .fail(.noSpace) : .crash, at: position)
            let failing = FolderStore(path, fileSystem: FileSystem(interposer: plan))
            var snapshots: [ContentID: Fixture.Files] = [kept: ["c": [1, 2, 3]]]
            if let new = try? Fixture.backUp(files, to: Fixture.open(failing)) { snapshots[new] = files }
            try Fixture.expectIntact(FolderStore(path), snapshots, "operation \(position)")
            guard plan.wasReached else {
                #expect(snapshots.count == 2 && position > 20)
                return
            }
        }
    }

    @Test func `a pack that memory has spoiled gets no name`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.appending("repository")
        let store = FolderStore(path)
        let repository = try Fixture.create(store)
        var codec = try repository.makeCodec()
        var builder = PackBuilder(.data)
        try builder.add([1, 2, 3], &codec)
        var pack = try builder.finish(&codec)
        pack.bytes[20] ^= 1
        let before = try TemporaryFolder.contents(of: path)
        let writer = RepositoryWriter(repository)
        #expect(throws: RepositoryError.self) {
            try writer.store(pack) { try pack.verify(&codec) }
        }
        #expect(try TemporaryFolder.contents(of: path).keys.sorted() == before.keys.sorted())
        #expect(repository.blobCount == 0)
    }

    @Test func `packs that no index names are forgotten with their writer`() throws {
        let isFailing = Mutex(true)
        let failing = InterceptedStore(store) { call in
            if case .put(.file(.index, _)) = call, isFailing.withLock({ $0 }) {
                throw FaultyStore.unreachable
            }
        }
        let repository = try Fixture.open(failing)
        let files: Fixture.Files = ["a": [1, 2, 3]]
        #expect(throws: StorageError.self) { try Fixture.backUp(files, to: repository) }
        #expect(repository.blobCount == 0)
        isFailing.withLock { $0 = false }
        // The same process tries again.
        let id = try Fixture.backUp(files, to: repository)
        try Fixture.expectIntact(store, [id: files])
    }

    @Test func `readers take what is whole, and never trust short answers`() throws {
        var random = SeededGenerator(seed: 92)
        let stored = try StoredRepository.sample(&random)
        let files = try #require(stored.snapshots[stored.order[0]])
        let content = try #require(files["chat.db"])
        let ids = try stride(from: 0, to: content.count, by: 4096).map { place in
            try ContentID(hashing: Array(content[place..<min(place + 4096, content.count)]))
        }
        var position = 0
        while true {
            position += 1
            let faulty = FaultyStore(stored.store, .cutAnswer, at: position)
            if let repository = try? Repository.open(faulty, password: Fixture.secret()),
                (try? repository.loadIndex(damaged: { throw $0 })) != nil
            {
                let read = Mutex<[Int: [UInt8]]>([:])
                try BlobReader(repository).read(ids, .data) { number, part in
                    read.withLock { $0[number] = part }
                }
                #expect(ids.indices.flatMap { read.withLock { $0 }[$0] ?? [] } == content)
            }
            guard faulty.wasReached else { break }
        }
    }

    @Test func `lost and damaged blobs are named`() throws {
        var random = SeededGenerator(seed: 93)
        let stored = try StoredRepository.sample(&random)
        let repository = try Fixture.open(stored.store)
        let absent = ContentID(words: (1, 2, 3, 4))
        do {
            try BlobReader(repository).read([absent], .data) { _, _ in }
            Issue.record("read")
        } catch let error as RepositoryError {
            #expect(error.kind == .missing)
        }
        let id = try ContentID(
            hashing: Array(try #require(stored.snapshots[stored.order[0]]?["chat.db"]?.prefix(4096))))
        let (pack, blob) = try repository.place(of: id, .data)
        try stored.damage(.file(.data, pack)) { $0[Int(blob.offset) + 5] ^= 1 }
        do {
            try BlobReader(repository).read([id], .data) { _, _ in }
            Issue.record("read")
        } catch let error as RepositoryError {
            #expect(error.kind == .damaged)
            #expect(error.subject == StoredName.file(.data, pack).description)
        }
    }
}
