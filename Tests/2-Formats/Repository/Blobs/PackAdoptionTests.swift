import FaultInjection
import Synchronization
import Testing
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// What a run stored that ended before its index is used by the next one, unless somebody has to remove it.
struct PackAdoptionTests {
    private typealias Fixture = RepositoryFixture

    private let store = MemoryStore()
    private var random = SeededGenerator(seed: 95)

    init() throws { _ = try Fixture.create(store) }

    /// Packs as one leaves them that is killed: no index names them.
    private mutating func strays(_ count: Int = 3) throws -> [[UInt8]] {
        let contents = (0..<count).map { _ in Fixture.bytes(5000, &random) }
        // That of the process that is killed.
        let writer = try RepositoryWriter(Fixture.open(store))
        for content in contents {
            var saver = try BlobSaver(writer, .data)
            try saver.save(content)
            try saver.flush()
        }
        return contents
    }

    private func adopt(_ store: (any BlobStore)? = nil) throws -> (Repository, PackAdoption) {
        let repository = try Fixture.open(store ?? self.store)
        let lock = try Fixture.lock(repository, isExclusive: false)
        defer { lock.release() }
        return (repository, try PackAdoption.run(repository, under: lock))
    }

    @Test mutating func `what a killed run stored is stored once`() throws {
        let contents = try strays()
        let (repository, adopted) = try adopt()
        #expect(adopted.packs == 3)
        #expect(try adopted.size == store.list(.data).reduce(0) { $0 + $1.size })
        let files: Fixture.Files = ["a": contents[0] + contents[1], "b": contents[2]]
        let id = try Fixture.backUp(files, to: repository, piece: 5000)
        // One more, with trees.
        #expect(try store.list(.data).count == 4)
        try Fixture.expectIntact(store, [id: files])
        #expect(try adopt().1.packs == 0)
    }

    @Test mutating func `who gives up names what it stored`() throws {
        let repository = try Fixture.open(store)
        do {
            let writer = RepositoryWriter(repository)
            var saver = try BlobSaver(writer, .data)
            try saver.save([1, 2, 3])
            try saver.flush()
            // It is in no pack yet.
            try saver.save([4, 5, 6])
            try writer.keep()
        }
        #expect(try Fixture.open(store).blobCount == 1)
        #expect(repository.blobCount == 1)
        try Fixture.expectIntact(store)
    }

    @Test mutating func `what is not whole is left alone`() throws {
        _ = try strays()
        let packs = try store.list(.data).map(\.id)
        for (number, pack) in packs.enumerated() {
            var content = try store.get(.file(.data, pack))
            try store.remove(.file(.data, pack))
            // The content of a blob, the header, the end.
            switch number {
            case 0: content[10] ^= 1
            case 1: content[content.count - 6] ^= 1
            default: content.removeLast(9)
            }
            try store.put(.file(.data, pack), content)
        }
        let (repository, adopted) = try adopt()
        #expect(adopted.packs == 0 && repository.blobCount == 0)
        #expect(try store.list(.index).isEmpty)
    }

    @Test mutating func `copies of what is there, and what rustic marked, are left alone`() throws {
        let contents = try strays(1)
        let (repository, adopted) = try adopt()
        #expect(adopted.packs == 1)
        // The same blob in another pack.
        let writer = RepositoryWriter(try Repository.open(store, password: Fixture.secret()))
        var saver = try BlobSaver(writer, .data)
        try saver.save(contents[0])
        try saver.flush()
        #expect(try store.list(.data).count == 2)
        #expect(try adopt().1.packs == 0)

        let index = try #require(try store.list(.index).first?.id)
        let json = String(decoding: try repository.document(.index, index), as: UTF8.self)
            .replacing(#""packs":"#, with: #""packs_to_delete":"#)
        try store.remove(.file(.index, index))
        try repository.save(.index, Array(json.utf8))
        // That copy is needed now, the marked pack stays marked.
        let (last, found) = try adopt()
        #expect(found.packs == 1 && last.blobCount == 1)
        #expect(try adopt().1.packs == 0)
    }

    @Test mutating func `nothing is adopted under a lock that is lost`() throws {
        _ = try strays()
        let store = store
        let intercepted = InterceptedStore(store) { call in
            // Between the list of packs and the index.
            guard case .get(.file(.data, _)) = call else { return }
            for lock in try store.list(.locks) { try store.remove(.file(.locks, lock.id)) }
        }
        let repository = try Fixture.open(intercepted)
        let lock = try Fixture.lock(repository, isExclusive: false)
        #expect(throws: RepositoryError.self) { try PackAdoption.run(repository, under: lock) }
        #expect(repository.blobCount == 0)
        #expect(try store.list(.index).isEmpty)
    }
}
