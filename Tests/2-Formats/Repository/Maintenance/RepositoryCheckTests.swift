import FaultInjection
import StoreContract
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// What a check finds, and what it says of it.
struct RepositoryCheckTests {
    private typealias Fixture = RepositoryFixture

    private var stored: StoredRepository

    init() throws {
        var random = SeededGenerator(seed: 41)
        stored = try StoredRepository.sample(&random)
    }

    /// The packs that only the newest run wrote.
    private func newest(_ kind: BlobKind) throws -> (pack: ContentID, blobs: [PackedBlob]) {
        let repository = try Fixture.open(stored.store)
        let tree = try SnapshotRecord(repository.document(.snapshots, stored.order[2])).tree
        let nodes = try Tree(repository.blob(tree, .tree)).nodes
        let files = try #require(nodes.first { $0.subtree != nil }?.subtree)
        let other = try #require(
            try Tree(repository.blob(files, .tree)).nodes.first { $0.name == Array("other".utf8) }?.content)
        let pack = try repository.place(of: kind == .tree ? tree : other[0], kind).pack
        var codec = try repository.makeCodec()
        let name = StoredName.file(.data, pack)
        let size = try stored.store.size(of: name)
        return (pack, try PackHeader.read(pack, size: size, &codec) { try stored.store.get(name, $0) })
    }

    private func kinds(_ report: CheckReport) -> Set<CheckFinding.Kind> { Set(report.findings.map(\.kind)) }

    @Test func `an intact repository has no findings`() throws {
        let report = try Fixture.check(stored.store)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.isIntact)
        #expect(report.snapshots == 3)
        #expect(report.indexes == 3)
        #expect(report.packs == 6)
        #expect(report.readPacks == 6)
        #expect(report.readBytes == report.storedBytes)
        #expect(report.usedBlobs == report.blobs)
        #expect(try Fixture.check(stored.store, reading: .none).readPacks == 0)
    }

    @Test(arguments: [1, 2]) func `repositories of both versions are checked`(version: Int) throws {
        var random = SeededGenerator(seed: 42)
        var stored = try StoredRepository(version: version)
        try stored.add(["a": Fixture.bytes(10_000, &random)])
        try Fixture.expectIntact(stored.store, stored.snapshots)
    }

    @Test func `a missing pack is named with the snapshots that lose something`() throws {
        let (pack, _) = try newest(.data)
        try stored.store.remove(.file(.data, pack))
        let report = try Fixture.check(stored.store, reading: .none)
        let finding = try #require(report.errors.first)
        #expect(report.errors.count == 1)
        #expect(finding.kind == .missingPack)
        #expect(finding.file == .file(.data, pack))
        #expect(finding.snapshots == [stored.order[2]])
        #expect(report.losses.map(\.snapshot) == [stored.order[2]])
        #expect(report.losses[0].examples == ["/files/other"])
    }

    @Test func `a lost tree is a lost folder`() throws {
        let (pack, _) = try newest(.tree)
        try stored.store.remove(.file(.data, pack))
        let report = try Fixture.check(stored.store)
        #expect(kinds(report) == [.missingPack, .unreadableTree])
        #expect(report.losses.map(\.examples) == [["/"]])
    }

    @Test func `a damaged blob is named, the rest of its pack is intact`() throws {
        let (pack, blobs) = try newest(.data)
        let blob = blobs[1]
        try stored.damage(.file(.data, pack)) { $0[Int(blob.offset) + 20] ^= 1 }
        let report = try Fixture.check(stored.store)
        #expect(report.errors.map(\.kind) == [.damagedPack, .damagedBlob])
        let finding = try #require(report.errors.last)
        #expect(finding.blob == CheckFinding.Blob(kind: .data, id: blob.id))
        #expect(finding.snapshots == [stored.order[2]])
        #expect(report.losses.map(\.examples) == [["/files/other"]])
        // Without reading the content nobody knows.
        #expect(try Fixture.check(stored.store, reading: .none).isIntact)
    }

    @Test func `what is whole in another pack is not lost`() throws {
        let packs = try stored.names(.data)
        try MaintenanceCrashTests.copyEverything(Fixture.open(stored.store))
        let copied = try Fixture.check(stored.store)
        #expect(copied.isIntact)
        #expect(kinds(copied) == [.duplicateBlobs])
        for pack in packs { try stored.damage(.file(.data, pack)) { $0[50] ^= 1 } }
        let report = try Fixture.check(stored.store)
        #expect(report.errors.filter { $0.kind == .damagedPack }.count == packs.count)
        #expect(report.losses.isEmpty)
        // And it restores.
        let repository = try Fixture.open(stored.store)
        for (id, files) in stored.snapshots {
            #expect(try Fixture.restore(id, from: repository) == files)
        }
    }

    @Test func `a damaged header is an error, its blobs are not lost`() throws {
        let (pack, _) = try newest(.data)
        try stored.damage(.file(.data, pack)) { $0[$0.count - 10] ^= 1 }
        let report = try Fixture.check(stored.store)
        #expect(report.errors.map(\.kind) == [.damagedPack, .wrongHeader])
        #expect(report.losses.isEmpty)
    }

    @Test func `a lost index is many missing blobs and some packs that nobody knows`() throws {
        var stored = stored
        let before = Set(try stored.names(.index))
        var random = SeededGenerator(seed: 43)
        try stored.add(["only": Fixture.bytes(5000, &random)])
        let new = try #require(try stored.names(.index).first { !before.contains($0) })
        try stored.store.remove(.file(.index, new))
        let report = try Fixture.check(stored.store)
        #expect(kinds(report) == [.missingBlob, .unindexedPack])
        #expect(report.findings.filter { $0.kind == .unindexedPack }.count == 2)
        #expect(report.errors.allSatisfy { $0.snapshots == [stored.order[3]] })
    }

    @Test func `hints are no errors`() throws {
        let repository = try Fixture.open(stored.store)
        // The same pack in two index files.
        var packs: [IndexedPack] = []
        let index = try #require(try stored.names(.index).first)
        try IndexRecord.read(repository.document(.index, index)) { packs.append($0) }
        var again = IndexEncoder()
        again.append(packs[0])
        try repository.save(.index, again.finish())
        let report = try Fixture.check(stored.store)
        #expect(report.isIntact)
        #expect(report.findings.map(\.kind) == [.repeatedPack])
        #expect(report.findings[0].file == .file(.data, packs[0].id))
    }

    @Test func `index files that contradict each other are an error`() throws {
        let repository = try Fixture.open(stored.store)
        var packs: [IndexedPack] = []
        // Their names are random: the first one may have small packs only.
        for index in try stored.names(.index) {
            try IndexRecord.read(repository.document(.index, index)) { packs.append($0) }
        }
        let pack = try #require(packs.first { $0.blobs.count > 1 })
        var other = IndexEncoder()
        other.append(IndexedPack(id: pack.id, blobs: Array(pack.blobs.dropLast())))
        try repository.save(.index, other.finish())
        let report = try Fixture.check(stored.store, reading: .none)
        #expect(
            report.errors.contains { $0.kind == .contradictoryIndexes && $0.file == .file(.data, pack.id) })
    }

    @Test func `keys, locks, snapshots and index files that cannot be read are named`() throws {
        for kind in [StoredKind.keys, .locks, .snapshots, .index] {
            let content = Array("nothing of ours".utf8)
            try stored.store.put(.file(kind, ContentID(hashing: content)), content)
        }
        let report = try Fixture.check(stored.store)
        #expect(
            kinds(report) == [.unreadableKey, .unreadableLock, .unreadableSnapshot, .unreadableIndex])
        #expect(report.losses.isEmpty)
    }

    @Test func `trees are judged`() throws {
        let repository = try Fixture.open(stored.store)
        let texts = [
            #"{"nodes":[{"name":"b","type":"file","content":[],"size":7},{"name":"a","type":"file","content":[]}]}"#,
            #"{"nodes":[{"name":"a","type":"file","content":null},{"name":"b","type":"dir","content":null}]}"#,
            #"{"nodes":[{"name":"#,
        ]
        for (number, text) in texts.enumerated() {
            let writer = RepositoryWriter(repository)
            var trees = try BlobSaver(writer, .tree)
            let tree = try trees.save(Array(text.utf8))
            try trees.flush()
            try writer.flushIndex()
            let record = SnapshotRecord(
                time: RecordTime(seconds: 2_000_000_000 + Int64(number)), tree: tree, paths: ["/a"])
            try repository.save(.snapshots, record.json)
        }
        let report = try Fixture.check(stored.store)
        #expect(kinds(report) == [.unsortedTree, .wrongFileSize, .invalidNode, .unreadableTree])
        #expect(report.errors.filter { $0.kind == .invalidNode }.count == 2)
        #expect(report.losses.count == 1)
    }

    @Test func `parts together read everything, each pack once`() throws {
        var read = 0
        for number in 1...5 {
            let report = try Fixture.check(stored.store, reading: .part(number, of: 5))
            #expect(report.isIntact)
            read += report.readPacks
        }
        #expect(read == 6)
        #expect(try Fixture.check(stored.store, reading: .percent(50)).readPacks == 3)
        #expect(try Fixture.check(stored.store, reading: .percent(0.1)).readPacks == 1)
        for share in [
            ReadShare.part(0, of: 5), .part(6, of: 5), .part(1, of: 257), .percent(0), .percent(101),
        ] {
            #expect(throws: RepositoryError.self) { try Fixture.check(stored.store, reading: share) }
        }
    }

    @Test func `a check is stopped at each report`() throws {
        struct Stop: Error {}
        let repository = try Fixture.open(stored.store)
        for stage in [MaintenanceStage.files, .index, .trees, .packs] {
            #expect(throws: Stop.self) {
                try RepositoryCheck(repository, reading: .all).run { now, _, _ in
                    if now == stage { throw Stop() }
                }
            }
        }
    }

    @Test func `a store that is not reached is no finding`() throws {
        var position = 0
        while true {
            position += 1
            let store = FaultyStore(stored.store, .fail(FaultyStore.unreachable), at: position)
            do {
                let repository = try Repository.open(store, password: Fixture.secret())
                #expect(try RepositoryCheck(repository, reading: .all).run().isIntact)
            } catch {
                #expect(error is StorageError)
            }
            guard store.wasReached else { break }
        }
    }

    @Test func `answers that are cut off are found and never trusted`() throws {
        var position = 0
        while true {
            position += 1
            let store = FaultyStore(stored.store, .cutAnswer, at: position)
            if let repository = try? Repository.open(store, password: Fixture.secret()) {
                _ = try? RepositoryCheck(repository, reading: .all).run()
            }
            guard store.wasReached else { break }
        }
    }
}
