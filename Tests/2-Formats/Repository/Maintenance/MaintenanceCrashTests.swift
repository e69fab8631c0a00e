import FaultInjection
import StoreContract
import Testing
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// Each operation on a repository is killed, or fails, at each call of its store: what was there is there afterwards, and the
/// operation can be done again.
struct MaintenanceCrashTests {
    private typealias Fixture = RepositoryFixture

    private static let faults: [FaultyStore.Fault] = [
        .crash, .crashAfterwards, .fail(FaultyStore.unreachable), .loseAnswer(FaultyStore.unreachable),
        .cutAnswer,
    ]

    private let stored: StoredRepository

    init() throws {
        var random = SeededGenerator(seed: 21)
        stored = try StoredRepository.sample(&random)
    }

    /// Tries an operation with a fault at each call.
    ///
    /// - Parameters:
    ///   - isDamaged: whether the state before has errors: it is compared only after the operation was done once more.
    ///   - finish: what is asked of each store at the end.
    private func sweep(
        _ stored: StoredRepository, isDamaged: Bool = false, _ operation: (any BlobStore) throws -> Void,
        finish: (MemoryStore) throws -> Void = { _ in }
    ) throws {
        for (kind, fault) in Self.faults.enumerated() {
            var position = 0
            while true {
                position += 1
                let store = MemoryStore(stored.store.files)
                let faulty = FaultyStore(store, fault, at: position)
                var isDone = true
                do { try operation(faulty) } catch { isDone = false }
                let place = "fault \(kind) at call \(position)"
                if !isDamaged { try Fixture.expectIntact(store, stored.snapshots, place) }
                if !isDone { try operation(store) }
                try Fixture.expectIntact(store, stored.snapshots, place + ", once more")
                try finish(store)
                guard faulty.wasReached else { break }
            }
            #expect(position > 3)
        }
    }

    // MARK: Adding

    @Test func `a repository is made, or can be made again`() throws {
        for (kind, fault) in Self.faults.enumerated() {
            var position = 0
            while true {
                position += 1
                let store = MemoryStore()
                let faulty = FaultyStore(store, fault, at: position)
                do {
                    _ = try Fixture.create(faulty)
                } catch {
                    if try !store.has(.config) { _ = try Fixture.create(store) }
                }
                _ = try Fixture.open(store)
                try Fixture.expectIntact(store, [:], "fault \(kind) at call \(position)")
                guard faulty.wasReached else { break }
            }
            #expect(position > 3)
        }
    }

    @Test func `a backup is there or not, and takes nothing from others`() throws {
        var random = SeededGenerator(seed: 22)
        let files: Fixture.Files = [
            "chat.db": Fixture.bytes(40_000, &random), "files/new": Fixture.bytes(9000, &random),
        ]
        try sweep(stored) { store in
            try Fixture.backUp(files, to: Fixture.open(store), day: 9)
        } finish: { store in
            let repository = try Fixture.open(store)
            let newest = try #require(try repository.snapshots { throw $0 }.last)
            #expect(try Fixture.restore(newest.id, from: repository) == files)
        }
    }

    // MARK: Removing

    @Test func `snapshots are forgotten one by one`() throws {
        var stored = stored
        let forgotten = Array(stored.order.prefix(2))
        for id in forgotten { stored.snapshots[id] = nil }
        try sweep(stored) { store in
            let report = try Fixture.locked(store) {
                try SnapshotRemoval.run(forgotten, from: $0, under: $1)
            }
            if let failure = report.failed.first { throw failure.error }
        } finish: { store in
            let left = try store.list(.snapshots).map(\.id)
            #expect(left == [stored.order[2]])
        }
    }

    @Test func `a prune that is killed loses nothing`() throws {
        var stored = stored
        try stored.forget(stored.order[0])
        // What a killed run left.
        let orphan = try #require(try Self.orphan())
        try stored.store.put(orphan.name, orphan.bytes)
        var rules = PruneRules()
        rules.tolerated = .bytes(0)
        try sweep(stored) { store in
            try Fixture.locked(store) { repository, lock in
                let report = try PrunePlan.make(for: repository, rules).run(under: lock)
                // What it goes on with knows the new index.
                for id in stored.order {
                    #expect(try Fixture.restore(id, from: repository) == stored.snapshots[id])
                }
                _ = report
            }
        } finish: { store in
            let report = try Fixture.check(store)
            #expect(report.blobs == report.usedBlobs)
            #expect(report.findings.isEmpty, "\(report.findings)")
        }
    }

    private static func orphan() throws -> FinishedPack? {
        var random = SeededGenerator(seed: 23)
        var codec = try RepositoryCodec(MasterKey.random(), version: 2)
        var builder = PackBuilder(.data)
        try builder.add(Fixture.bytes(500, &random), &codec)
        return try builder.finish(&codec)
    }

    // MARK: Repairing

    @Test func `a lost index is made again`() throws {
        let stored = stored
        for id in try stored.names(.index).prefix(2) { try stored.store.remove(.file(.index, id)) }
        try sweep(stored, isDamaged: true) { store in
            let repository = try Repository.open(store, password: Fixture.secret())
            let lock = try Fixture.lock(repository)
            defer { lock.release() }
            let report = try IndexRepair(repository).run(under: lock)
            if let unreadable = report.unreadable.first { throw unreadable.error }
        }
    }

    @Test func `packs are salvaged while another copy is whole`() throws {
        // Everything is stored twice: the copy is in packs that are intact.
        let stored = stored
        let packs = try stored.names(.data)
        let repository = try Fixture.open(stored.store)
        try Self.copyEverything(repository)
        for id in packs { try stored.damage(.file(.data, id)) { $0[40] ^= 1 } }
        try sweep(stored, isDamaged: true) { store in
            try Fixture.locked(store) { repository, lock in
                _ = try PackSalvage(repository).run(packs, removingPacks: true, under: lock)
            }
        }
    }

    /// Packs of every blob once more, in an index of their own.
    static func copyEverything(_ repository: Repository) throws {
        var index = IndexEncoder()
        var codec = try repository.makeCodec()
        for (id, size) in try repository.store.list(.data) {
            let name = StoredName.file(.data, id)
            let blobs = try PackHeader.read(id, size: size, &codec) { try repository.store.get(name, $0) }
            var builder = PackBuilder(try #require(blobs.first?.kind))
            for blob in blobs { try builder.add(repository.blob(blob.id, blob.kind), &codec) }
            let pack = try builder.finish(&codec)
            try repository.store.put(pack.name, pack.bytes)
            index.append(try IndexedPack(pack.id, pack.blobs))
        }
        try repository.save(.index, index.finish())
    }

    @Test func `snapshots are repaired beside the old ones`() throws {
        var stored = stored
        // The second snapshot has a blob that no other has.
        let old = Set(try stored.names(.data))
        var random = SeededGenerator(seed: 24)
        let lost = try stored.add(["a": Fixture.bytes(20_000, &random), "b": [1, 2, 3]])
        let repository = try Fixture.open(stored.store)
        var codec = try repository.makeCodec()
        for (id, size) in try stored.store.list(.data) where !old.contains(id) {
            let name = StoredName.file(.data, id)
            let blobs = try PackHeader.read(id, size: size, &codec) { try repository.store.get(name, $0) }
            if blobs.first?.kind == .data { try stored.store.remove(name) }
        }
        stored.snapshots[lost] = nil
        try sweep(stored, isDamaged: true) { store in
            try Fixture.locked(store) { repository, lock in
                _ = try SnapshotRepair(repository).run(removingSnapshots: true, under: lock)
                var rules = PruneRules()
                rules.tolerated = .bytes(0)
                _ = try PrunePlan.make(for: repository, rules).run(under: lock)
            }
        } finish: { store in
            let left = try store.list(.snapshots).count
            #expect(left == 4)
        }
    }
}
