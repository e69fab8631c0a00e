import FaultInjection
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// Index, packs and snapshots are repaired, and nothing is destroyed.
struct RepairTests {
    private typealias Fixture = RepositoryFixture

    private func sample() throws -> StoredRepository {
        var random = SeededGenerator(seed: 61)
        return try StoredRepository.sample(&random)
    }

    @discardableResult
    private func repairIndex(_ stored: StoredRepository, readingAll: Bool = false) throws
        -> IndexRepair.Report
    {
        let repository = try Repository.open(stored.store, password: Fixture.secret())
        let lock = try Fixture.lock(repository)
        defer { lock.release() }
        return try IndexRepair(repository, readingAll: readingAll).run(under: lock)
    }

    // MARK: Index

    @Test func `an index is made from packs alone`() throws {
        let stored = try sample()
        for id in try stored.names(.index) { try stored.store.remove(.file(.index, id)) }
        let report = try repairIndex(stored)
        #expect(report.added == (try stored.names(.data)))
        #expect(report.writtenIndexes == 1)
        try Fixture.expectIntact(stored.store, stored.snapshots)
        let again = try repairIndex(stored, readingAll: true)
        #expect(again.added.isEmpty && again.corrected.isEmpty && again.dropped.isEmpty)
        #expect(again.writtenIndexes == 0)
        #expect(again.removedIndexes == 0)
    }

    @Test func `a damaged index is replaced`() throws {
        let stored = try sample()
        let id = try #require(try stored.names(.index).first)
        try stored.damage(.file(.index, id)) { $0[40] ^= 1 }
        let report = try repairIndex(stored)
        #expect(report.added.count == 2)
        #expect(report.removedIndexes == 1)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `packs that are gone leave the index, and the next backup stores their content`() throws {
        var stored = try sample()
        let pack = try #require(try stored.names(.data).first)
        try stored.store.remove(.file(.data, pack))
        let report = try repairIndex(stored)
        #expect(report.dropped == [pack])
        for files in stored.snapshots.values { try stored.add(files) }
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `wrong places are corrected`() throws {
        let stored = try sample()
        let repository = try Fixture.open(stored.store)
        for id in try stored.names(.index) {
            var wrong = IndexEncoder()
            try IndexRecord.read(repository.document(.index, id)) { pack in
                var pack = pack
                pack.blobs = pack.blobs.map { blob in
                    IndexedBlob(
                        id: blob.id, kind: blob.kind, offset: blob.offset + 1, length: blob.length,
                        uncompressedLength: blob.uncompressedLength)
                }
                wrong.append(pack)
            }
            try stored.store.remove(.file(.index, id))
            try repository.save(.index, wrong.finish())
        }
        let before = try Fixture.check(stored.store)
        #expect(before.errors.contains { $0.kind == .brokenLayout })
        #expect(try repairIndex(stored).corrected.count == 6)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `a pack without a header stays in the index until it is salvaged`() throws {
        let stored = try sample()
        let pack = try #require(try stored.names(.data).first)
        try stored.damage(.file(.data, pack)) { $0.removeLast(10) }
        let report = try repairIndex(stored)
        #expect(report.unreadable.map(\.id) == [pack])
        let salvaged = try Fixture.locked(stored.store) {
            try PackSalvage($0).run([pack], removingPacks: true, under: $1)
        }
        #expect(salvaged.saved > 0)
        #expect(salvaged.lost == [])
        #expect(salvaged.removedPacks == 1)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    // MARK: Packs

    @Test func `intact blobs of a broken pack are saved, lost ones named`() throws {
        var random = SeededGenerator(seed: 62)
        var stored = try StoredRepository()
        let files: Fixture.Files = ["a": Fixture.bytes(40_960, &random)]
        try stored.add(files)
        let repository = try Fixture.open(stored.store)
        var codec = try repository.makeCodec()
        for (pack, size) in try stored.store.list(.data) {
            let name = StoredName.file(.data, pack)
            let blobs = try PackHeader.read(pack, size: size, &codec) { try stored.store.get(name, $0) }
            guard blobs[0].kind == .data else { continue }
            try stored.damage(name) { $0[Int(blobs[3].offset) + 1] ^= 1 }
            let report = try Fixture.locked(stored.store) { try PackSalvage($0).run([pack], under: $1) }
            #expect(report.saved == 9)
            #expect(report.lost == [CheckFinding.Blob(kind: .data, id: blobs[3].id)])
            #expect(try stored.store.has(name))
        }
        let check = try Fixture.check(stored.store)
        #expect(Set(check.findings.map(\.kind)) == [.missingBlob, .unindexedPack])
        // A backup does not count on what is lost in it.
        #expect(try repairIndex(stored).added == [])
        // The source has it.
        try stored.add(files)
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    // MARK: Snapshots

    @Test func `snapshots are written anew without what is lost`() throws {
        var random = SeededGenerator(seed: 63)
        var stored = try StoredRepository()
        let whole = Fixture.bytes(8192, &random)
        let first = try stored.add(["kept": whole])
        let id = try stored.add([
            "kept": whole, "folder/lost": Fixture.bytes(9000, &random), "folder/other": [1],
        ])
        let repository = try Fixture.open(stored.store)
        let tree = try SnapshotRecord(repository.document(.snapshots, id)).tree
        let folder = try #require(
            try Tree(repository.blob(tree, .tree)).nodes.first { $0.subtree != nil }?.subtree)
        let nodes = try Tree(repository.blob(folder, .tree)).nodes
        let lost = try #require(nodes.first { $0.name == Array("lost".utf8) }?.content)
        let damaged = Set([CheckFinding.Blob(kind: .data, id: lost[1])])
        let lock = try Fixture.lock(repository)
        defer { lock.release() }
        let report = try SnapshotRepair(repository).run(losing: { damaged.contains($0) }, under: lock)
        #expect(report.intact == 1)
        let repaired = try #require(report.repaired.first)
        #expect(report.repaired.count == 1)
        #expect(repaired.snapshot == id)
        #expect(repaired.entries == ["folder/lost"])
        let record = try SnapshotRecord(repository.document(.snapshots, repaired.replacement))
        #expect(record.original == id)
        #expect(record.tags == ["repaired"])
        let files = try Fixture.restore(repaired.replacement, from: repository)
        #expect(Set(files.keys) == ["kept", "folder/lost.repaired", "folder/other"])
        #expect(files["folder/lost.repaired"]?.count == 9000 - 4096)
        #expect(try stored.store.has(.file(.snapshots, id)))
        // Again, it finds its own work.
        let again = try SnapshotRepair(repository).run(
            losing: { damaged.contains($0) }, removingSnapshots: true, under: lock)
        #expect(again.repaired.map(\.replacement) == [repaired.replacement])
        #expect(again.removed == [id])
        #expect(Set(try stored.names(.snapshots)) == [first, repaired.replacement])
        try Fixture.expectIntact(stored.store)
    }

    @Test func `a lost folder becomes an empty one, a lost root nothing`() throws {
        var stored = try StoredRepository()
        let id = try stored.add(["folder/a": [1, 2], "b": [3]])
        let repository = try Fixture.open(stored.store)
        let lock = try Fixture.lock(repository)
        defer { lock.release() }
        let tree = try SnapshotRecord(repository.document(.snapshots, id)).tree
        let folder = try #require(
            try Tree(repository.blob(tree, .tree)).nodes.first { $0.subtree != nil }?.subtree)
        let report = try SnapshotRepair(repository).run(
            losing: { $0 == CheckFinding.Blob(kind: .tree, id: folder) }, under: lock)
        let replacement = try #require(report.repaired.first?.replacement)
        #expect(report.repaired.first?.entries == ["folder"])
        #expect(try Fixture.restore(replacement, from: repository) == ["b": [3]])
        let none = try SnapshotRepair(repository).run(
            losing: { $0 == CheckFinding.Blob(kind: .tree, id: tree) }, removingSnapshots: true, under: lock)
        #expect(none.failed.map(\.id) == [id])
        #expect(try stored.store.has(.file(.snapshots, id)))
    }

    @Test func `names that are taken get the suffix again`() throws {
        var stored = try StoredRepository()
        let id = try stored.add(["a": [1, 2], "a.repaired": [3]])
        let repository = try Fixture.open(stored.store)
        let lock = try Fixture.lock(repository)
        defer { lock.release() }
        let lost = CheckFinding.Blob(kind: .data, id: try ContentID(hashing: [1, 2]))
        let report = try SnapshotRepair(repository).run(losing: { $0 == lost }, under: lock)
        let replacement = try #require(report.repaired.first { $0.snapshot == id }?.replacement)
        let files = try Fixture.restore(replacement, from: repository)
        #expect(Set(files.keys) == ["a.repaired", "a.repaired.repaired"])
        #expect(Set(files.values) == [[], [3]])
    }
}
