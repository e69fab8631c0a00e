import FaultInjection
import Synchronization
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// What a prune plans, and what it does.
struct PruneTests {
    private typealias Fixture = RepositoryFixture

    private static func rules(_ tolerated: PruneRules.Tolerance) -> PruneRules {
        var rules = PruneRules()
        rules.tolerated = tolerated
        return rules
    }

    @discardableResult
    private func prune(
        _ store: any BlobStore, _ rules: PruneRules = rules(.bytes(0))
    ) throws -> (plan: PrunePlan.Figures, done: PruneReport) {
        try Fixture.locked(store) { repository, lock in
            let plan = try PrunePlan.make(for: repository, rules)
            return (plan.figures, try plan.run(under: lock))
        }
    }

    private func sample() throws -> StoredRepository {
        var random = SeededGenerator(seed: 51)
        return try StoredRepository.sample(&random)
    }

    // MARK: What is done

    @Test func `where everything is used, nothing is done`() throws {
        let stored = try sample()
        let before = stored.store.files
        let (plan, done) = try prune(stored.store)
        #expect(plan.kept.count == 6)
        #expect(plan.unused == PrunePlan.Blobs())
        #expect(done == PruneReport())
        #expect(stored.store.files == before)
    }

    @Test func `what nobody uses goes, the rest is packed again`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0], stored.order[1])
        let size = try Fixture.check(stored.store).storedBytes
        let (plan, done) = try prune(stored.store)
        #expect(plan.snapshots == 1)
        #expect(plan.repacked.count > 0)
        #expect(plan.removed.count > 0)
        #expect(plan.remaining == PrunePlan.Blobs())
        #expect(plan.rewritten.count <= plan.used.count)
        #expect(done.removedPacks == plan.repacked.count + plan.removed.count)
        #expect(done.writtenPacks > 0)
        try Fixture.expectIntact(stored.store, stored.snapshots)
        let report = try Fixture.check(stored.store)
        #expect(report.blobs == report.usedBlobs)
        #expect(report.findings.isEmpty)
        #expect(report.storedBytes < size)
        // A second one has nothing to do.
        #expect(try prune(stored.store).done == PruneReport())
    }

    @Test func `without snapshots nothing is left`() throws {
        var stored = try sample()
        for id in stored.order { try stored.forget(id) }
        try prune(stored.store)
        for kind in [StoredKind.data, .index, .snapshots, .locks] { #expect(try stored.names(kind) == []) }
        try Fixture.expectIntact(stored.store)
        try stored.add(["again": [1, 2, 3]])
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `some waste is tolerated, trees are repacked always`() throws {
        var random = SeededGenerator(seed: 52)
        var stored = try StoredRepository()
        var files: Fixture.Files = ["a": Fixture.bytes(200_000, &random), "b": Fixture.bytes(4096, &random)]
        try stored.add(files)
        files["b"] = nil
        try stored.add(files)
        try stored.forget(stored.order[0])
        // 4 KB of 200 KB are 2 percent.
        for (tolerated, isRepacked) in [
            (PruneRules.Tolerance.percent(5), false), (.unlimited, false), (.percent(100), false),
            (.bytes(10_000), false), (.percent(0), true), (.percent(1), true), (.bytes(0), true),
        ] {
            let store = MemoryStore(stored.store.files)
            let repository = try Fixture.open(store)
            let plan = try PrunePlan.make(for: repository, Self.rules(tolerated)).figures
            #expect((plan.repacked.count > 0) == isRepacked, "\(tolerated)")
            #expect((plan.remaining.count == 1) == !isRepacked, "\(tolerated)")
            try prune(store, Self.rules(tolerated))
            try Fixture.expectIntact(store, stored.snapshots)
        }
    }

    @Test func `no more is repacked than asked for`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0], stored.order[1])
        var rules = Self.rules(.bytes(0))
        rules.mostRepacked = 0
        let (plan, _) = try prune(stored.store, rules)
        #expect(plan.repacked == PrunePlan.Packs())
        #expect(plan.remaining.count > 0)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `of two copies one stays, that in the pack that is used more`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0])
        let blobs = try Fixture.check(stored.store).usedBlobs
        // Their copies are in packs with blobs that nobody uses as well.
        try MaintenanceCrashTests.copyEverything(Fixture.open(stored.store))
        let (plan, _) = try prune(stored.store)
        #expect(plan.copies.count == blobs)
        let report = try Fixture.check(stored.store)
        #expect(report.blobs == blobs)
        #expect(report.findings.isEmpty)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `many small packs and index files are joined`() throws {
        var random = SeededGenerator(seed: 53)
        var stored = try StoredRepository()
        for number in 0..<13 {
            try stored.add(["a": Fixture.bytes(3000, &random), "\(number)": Fixture.bytes(1000, &random)])
        }
        #expect(try stored.names(.data).count == 26)
        let (plan, done) = try prune(stored.store)
        #expect(plan.unused == PrunePlan.Blobs())
        #expect(plan.repacked.count == 26)
        #expect(done.writtenPacks <= 2 * 32)
        #expect(try stored.names(.data).count < 26)
        #expect(try stored.names(.index).count == 1)
        try Fixture.expectIntact(stored.store, stored.snapshots)
        var rules = PruneRules()
        rules.joinsSmallPacks = false
        #expect(try prune(stored.store, rules).plan.repacked.count == 0)
    }

    @Test func `encrypted content is stored again as it is`() throws {
        var random = SeededGenerator(seed: 54)
        var stored = try StoredRepository()
        let noise: [UInt8] = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let repository = try Fixture.open(stored.store)
        let first = try Fixture.backUp(
            ["a": noise, "b": Array(noise.prefix(9000).reversed())], to: repository, compresses: false)
        let second = try Fixture.backUp(["a": noise], to: repository, day: 1, compresses: false)
        stored.snapshots[second] = ["a": noise]
        try stored.store.remove(.file(.snapshots, first))
        try prune(stored.store)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    // MARK: What no index names

    @Test func `packs in no index go when the caller says so`() throws {
        var stored = try sample()
        let before = Set(try stored.names(.data))
        var random = SeededGenerator(seed: 55)
        let killed = try stored.add(["killed": Fixture.bytes(9000, &random)])
        let index = try #require(
            try stored.names(.index).last { id in
                var names: [ContentID] = []
                try IndexRecord.read(Fixture.open(stored.store).document(.index, id)) { names.append($0.id) }
                return !before.isSuperset(of: names)
            })
        try stored.store.remove(.file(.index, index))
        try stored.forget(killed)
        let orphans = Set(try stored.names(.data)).subtracting(before)
        #expect(orphans.count == 2)
        let asked = Mutex<Set<ContentID>>([])
        var rules = PruneRules()
        rules.removesUnindexed = { id, _ in
            asked.withLock { _ = $0.insert(id) }
            return false
        }
        let (plan, _) = try prune(stored.store, rules)
        #expect(asked.withLock { $0 } == orphans)
        #expect(plan.spared.count == 2)
        #expect(before.union(orphans) == Set(try stored.names(.data)))
        #expect(try prune(stored.store).plan.unindexed.count == 2)
        #expect(before == Set(try stored.names(.data)))
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test
    func `a pack that rustic marked is recovered where it is used, and spared or removed where it is not`()
        throws
    {
        var stored = try sample()
        let before = Set(try stored.names(.index))
        var random = SeededGenerator(seed: 56)
        let id = try stored.add(["new": Fixture.bytes(9000, &random)])
        let index = try #require(try stored.names(.index).first { !before.contains($0) })
        let repository = try Fixture.open(stored.store)
        let json = String(decoding: try repository.document(.index, index), as: UTF8.self)
            .replacing(#""packs":"#, with: #""packs_to_delete":"#)
        try stored.store.remove(.file(.index, index))
        try repository.save(.index, Array(json.utf8))
        let marked = try Fixture.check(stored.store)
        #expect(marked.findings.filter { $0.kind == .markedPack }.count == 2)
        #expect(!marked.isIntact)
        let unused = try StoredRepository.copy(of: stored)
        try unused.store.remove(.file(.snapshots, id))
        var rules = Self.rules(.bytes(0))
        rules.removesUnindexed = { _, _ in false }
        #expect(try prune(unused.store, rules).plan.spared.count == 2)
        #expect(try prune(unused.store).plan.unindexed.count == 2)
        // What is in use is no marked pack any more as soon as an index is written anew.
        try stored.forget(stored.order[0])
        #expect(try prune(stored.store).plan.unindexed.count == 0)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `what a plan forgets is removed`() throws {
        let stored = try sample()
        var policy = RetentionPolicy()
        policy.last = 1
        let repository = try Fixture.open(stored.store)
        let candidates = try repository.snapshots { throw $0 }.map {
            RetentionCandidate(id: $0.id, $0.record)
        }
        let plan = try Retention.plan(candidates, policy, now: RecordTime(seconds: 2_000_000_000))
        let report = try Fixture.locked(stored.store) { try SnapshotRemoval.run(plan, from: $0, under: $1) }
        #expect(Set(report.removed) == Set(stored.order.prefix(2)))
        #expect(report.failed.isEmpty)
        #expect(try stored.names(.snapshots) == [stored.order[2]])
    }

    // MARK: Refusals

    private func expectRefusal(
        _ kind: RepositoryError.Kind, _ stored: StoredRepository, _ store: (any BlobStore)? = nil
    ) throws {
        let before = stored.store.files
        do {
            try prune(store ?? stored.store)
            Issue.record("pruned")
        } catch let error as RepositoryError {
            #expect(error.kind == kind, "\(error)")
        }
        #expect(stored.store.files == before)
    }

    @Test func `nothing is changed where something is missing`() throws {
        let intact = try sample()
        for pack in try intact.names(.data) {
            var stored = intact
            stored = try StoredRepository.copy(of: intact)
            try stored.store.remove(.file(.data, pack))
            let before = stored.store.files
            #expect(throws: RepositoryError.self) { try prune(stored.store) }
            #expect(stored.store.files == before)
        }
    }

    @Test func `nothing is changed where a pack has another size`() throws {
        let stored = try sample()
        let repository = try Fixture.open(stored.store)
        let data = try #require(
            try stored.names(.data).first { pack in
                var codec = try repository.makeCodec()
                let name = StoredName.file(.data, pack)
                let size = try stored.store.size(of: name)
                return try PackHeader.read(pack, size: size, &codec) { try stored.store.get(name, $0) }
                    .first?.kind == .data
            })
        try stored.damage(.file(.data, data)) { $0.removeLast() }
        try expectRefusal(.damaged, stored)
    }

    @Test func `nothing is changed where an index or a snapshot cannot be read`() throws {
        for kind in [StoredKind.index, .snapshots] {
            let stored = try sample()
            let id = try #require(try stored.names(kind).first)
            try stored.damage(.file(kind, id)) { $0[30] ^= 1 }
            let repository = try Repository.open(stored.store, password: Fixture.secret())
            let lock = try Fixture.lock(repository)
            let before = stored.store.files
            #expect(throws: RepositoryError.self) {
                try PrunePlan.make(for: repository).run(under: lock)
            }
            #expect(stored.store.files == before)
            lock.release()
        }
    }

    @Test func `a store that keeps everything is left as it is`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0])
        let store = InterceptedStore.appendOnly(stored.store)
        try expectRefusal(.unsupported, stored, store)
        let before = stored.store.files
        #expect(throws: RepositoryError.self) {
            try Fixture.locked(store) { try SnapshotRemoval.run(stored.order, from: $0, under: $1) }
        }
        #expect(throws: RepositoryError.self) {
            try Fixture.locked(store) { try IndexRepair($0).run(under: $1) }
        }
        #expect(throws: RepositoryError.self) {
            try Fixture.locked(store) { try PackSalvage($0).run([], under: $1) }
        }
        #expect(stored.store.files == before)
    }

    /// Another program, whose clock is ahead, takes the repository while index files are removed.
    private func pruneAndLoseLock(_ store: MemoryStore) throws {
        let intercepted = InterceptedStore(store) { call in
            guard case .remove(.file(.index, _)) = call else { return }
            for lock in try store.list(.locks) { try store.remove(.file(.locks, lock.id)) }
        }
        do {
            try prune(intercepted)
            Issue.record("pruned")
        } catch let error as RepositoryError {
            #expect(error.kind == .locked)
        }
    }

    @Test func `a pack that is gone keeps no other one from coming back into an index`() throws {
        var stored = try sample()
        let lost = try stored.add(["lost": [1, 2, 3]])
        let pack = try Fixture.open(stored.store).place(of: ContentID(hashing: [1, 2, 3]), .data).pack
        try stored.store.remove(.file(.data, pack))
        try stored.forget(stored.order[0], lost)
        try pruneAndLoseLock(stored.store)
        #expect(try Fixture.check(stored.store).findings.allSatisfy { $0.kind != .unindexedPack })
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `what a prune cannot remove any more is in an index again`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0])
        let (before, store) = (try Fixture.open(stored.store).blobCount, stored.store)
        try pruneAndLoseLock(store)
        // What was packed again is there twice.
        #expect(try Fixture.open(store).blobCount > before)
        #expect(try Fixture.check(store).findings.allSatisfy { $0.kind != .unindexedPack })
        try Fixture.expectIntact(store, stored.snapshots)
    }

    @Test func `a shared lock, another repository's lock and an outdated plan are refused`() throws {
        var stored = try sample()
        try stored.forget(stored.order[0])
        let repository = try Fixture.open(stored.store)
        let plan = try PrunePlan.make(for: repository)
        let shared = try Fixture.lock(repository, isExclusive: false)
        #expect(throws: RepositoryError.self) { try plan.run(under: shared) }
        shared.release()
        let foreign = try Fixture.lock(Fixture.open(sample().store))
        #expect(throws: RepositoryError.self) { try plan.run(under: foreign) }
        let lock = try Fixture.lock(repository)
        try Fixture.backUp(["a": [1]], to: Fixture.open(stored.store), day: 8)
        let before = stored.store.files
        #expect(throws: RepositoryError.self) { try plan.run(under: lock) }
        #expect(stored.store.files == before)
    }
}

extension StoredRepository {
    /// The same files in a store of its own.
    static func copy(of other: StoredRepository) throws -> StoredRepository {
        StoredRepository(MemoryStore(other.store.files), other)
    }

    private init(_ store: MemoryStore, _ other: StoredRepository) {
        self.store = store
        snapshots = other.snapshots
        order = other.order
    }
}
