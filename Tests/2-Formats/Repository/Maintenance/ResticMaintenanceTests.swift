import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseRepository
import ValiseSecrets
import ValiseStorage

import class ValiseRepository.Repository

/// restic checks, lists and prunes what we made, and we what restic made.
@Suite(.enabled(if: OtherProgram.isThere("restic"), "needs restic"))
struct ResticMaintenanceTests {
    private typealias Fixture = RepositoryFixture

    private let folder: TemporaryFolder
    private let store: FolderStore
    private let restic: OtherProgram
    private var random = SeededGenerator(seed: 71)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        store = FolderStore(folder.appending("r"))
        restic = try #require(OtherProgram("restic"))
        try Data(Fixture.password.utf8).write(to: URL(filePath: folder.appending("password").string))
    }

    @discardableResult
    private func run(_ arguments: String..., failing: Bool = false) throws -> String {
        let outcome = try restic.outcome(
            of: ["-r", store.folder.string, "-p", folder.appending("password").string, "--no-cache"]
                + arguments)
        let errors = String(decoding: outcome.errors, as: UTF8.self)
        #expect((outcome.status != 0) == failing, "\(arguments): \(outcome.text) \(errors)")
        return outcome.text + errors
    }

    /// Writes a folder that restic backs up.
    private func write(_ files: Fixture.Files) throws -> String {
        let root = URL(filePath: folder.appending("source").string)
        try? FileManager.default.removeItem(at: root)
        for (name, content) in files {
            let file = root.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content).write(to: file)
        }
        return root.path
    }

    private func snapshots() throws -> [StoredSnapshot] {
        try Fixture.open(store).snapshots { throw $0 }
    }

    private func prune() throws -> PruneReport {
        var rules = PruneRules()
        rules.tolerated = .bytes(0)
        return try Fixture.locked(store) { try PrunePlan.make(for: $0, rules).run(under: $1) }
    }

    private func backUp(_ files: Fixture.Files, day: Int64) throws -> ContentID {
        try Fixture.backUp(files, to: Fixture.open(store), day: day)
    }

    // MARK: Ours

    @Test(arguments: [1, 2]) mutating func `restic accepts ours, before and after it is pruned`(version: Int)
        throws
    {
        _ = try Fixture.create(store, version: version)
        var files: Fixture.Files = [
            "chat.db": Fixture.bytes(90_000, &random), "empty": [], "files/a": Fixture.bytes(20_000, &random),
        ]
        let first = try backUp(files, day: 0)
        files["chat.db"]?.replaceSubrange(0..<5000, with: Fixture.bytes(5000, &random))
        files["files/b"] = Fixture.bytes(70, &random)
        let second = try backUp(files, day: 1)
        #expect(try run("check", "--read-data").contains("no errors were found"))
        let shown = try run("snapshots", "--json")
        #expect(shown.contains(first.text) && shown.contains(second.text))
        let listed = try run("ls", second.text)
        for path in ["/chat.db", "/empty", "/files/a", "/files/b"] { #expect(listed.contains(path)) }
        // Ours forgets and prunes, restic judges.
        let removed = try Fixture.locked(store) { try SnapshotRemoval.run([first], from: $0, under: $1) }
        #expect(removed.removed == [first])
        #expect(try prune().writtenPacks > 0)
        try Fixture.expectIntact(store, [second: files])
        let judged = try run("check", "--read-data")
        #expect(judged.contains("no errors were found"))
        #expect(!judged.contains("not referenced"))
        // Nothing is left for restic.
        let before = try store.list(.data).map(\.id)
        try run("prune", "--max-unused", "0")
        #expect(try store.list(.data).map(\.id) == before)
        let target = folder.appending("restored").string
        try run("restore", second.text, "--target", target)
        for (name, content) in files {
            let restored = try Data(contentsOf: URL(filePath: target).appending(path: name))
            #expect([UInt8](restored) == content, "\(name)")
        }
    }

    @Test mutating func `restic forgets and prunes in ours`() throws {
        _ = try Fixture.create(store)
        var files: Fixture.Files = ["chat.db": Fixture.bytes(50_000, &random), "a/b/c": [1, 2, 3]]
        _ = try backUp(files, day: 0)
        files["chat.db"]?.replaceSubrange(9000..<20_000, with: Fixture.bytes(11_000, &random))
        let last = try backUp(files, day: 1)
        try run("forget", "--keep-last", "1", "--prune", "--max-unused", "0")
        #expect(try snapshots().map(\.id) == [last])
        try Fixture.expectIntact(store, [last: files])
        let report = try Fixture.check(store)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.usedBlobs == report.blobs)
    }

    // MARK: restic's

    @Test mutating func `we check and prune what restic made`() throws {
        try run("init")
        var files: Fixture.Files = [
            "chat.db": Fixture.bytes(3_000_000, &random), "note": [1],
            "deep/er/file": Fixture.bytes(4000, &random),
        ]
        for number in 0..<3 {
            files["new \(number)"] = Fixture.bytes(100_000, &random)
            try run("backup", write(files))
            files["new \(number)"] = nil
        }
        try Fixture.expectIntact(store)
        let all = try snapshots()
        #expect(all.count == 3)
        let removed = try Fixture.locked(store) {
            try SnapshotRemoval.run([all[0].id, all[1].id], from: $0, under: $1)
        }
        #expect(removed.removed.count == 2)
        #expect(try prune().removedPacks > 0)
        let judged = try run("check", "--read-data")
        #expect(judged.contains("no errors were found"))
        #expect(!judged.contains("not referenced"))
        try Fixture.expectIntact(store)
        files["new 2"] = nil
        let restored = try Fixture.restore(all[2].id, from: Fixture.open(store))
        for (name, content) in files {
            #expect(restored.first { $0.key.hasSuffix("source/" + name) }?.value == content, "\(name)")
        }
    }

    @Test mutating func `both write and prune in turns`() throws {
        try run("init")
        var files: Fixture.Files = ["chat.db": Fixture.bytes(60_000, &random)]
        var ours: [ContentID: Fixture.Files] = [:]
        for turn in 0..<6 {
            files["file \(turn)"] = Fixture.bytes(8000, &random)
            ours[try backUp(files, day: Int64(turn))] = files
            try run("backup", write(files))
            if turn % 2 == 0 {
                _ = try prune()
            } else {
                let forgotten = try #require(ours.keys.sorted().first)
                try run("forget", forgotten.text, "--prune", "--max-unused", "0")
                ours[forgotten] = nil
            }
            #expect(try run("check", "--read-data").contains("no errors were found"))
            try Fixture.expectIntact(store, ours, "turn \(turn)")
        }
    }

    // MARK: Locks and repairs

    @Test mutating func `locks of both exclude each other`() throws {
        _ = try Fixture.create(store)
        _ = try backUp(["a": [1]], day: 0)
        let repository = try Fixture.open(store)
        let lock = try RepositoryLock.take(repository, isExclusive: true)
        #expect(try run("snapshots", failing: true).contains("already locked exclusively"))
        lock.release()
        try run("snapshots")
        let shared = try RepositoryLock.take(repository, isExclusive: false)
        try run("snapshots")
        _ = try run("prune", failing: true)
        shared.release()
        try run("prune")
        #expect(try store.list(.locks).isEmpty)
    }

    @Test mutating func `restic accepts what was repaired`() throws {
        _ = try Fixture.create(store)
        let files: Fixture.Files = ["a": Fixture.bytes(40_000, &random), "b/c": Fixture.bytes(9000, &random)]
        let id = try backUp(files, day: 0)
        for (index, _) in try store.list(.index) { try store.remove(.file(.index, index)) }
        _ = try run("check", failing: true)
        let repository = try Repository.open(store, password: Fixture.secret())
        let lock = try RepositoryLock.take(repository, isExclusive: true)
        _ = try IndexRepair(repository).run(under: lock)
        let tree = try SnapshotRecord(repository.document(.snapshots, id)).tree
        let nodes = try Tree(repository.blob(tree, .tree)).nodes
        let lost = try #require(nodes.first { $0.content != nil }?.content?.first)
        let report = try SnapshotRepair(repository).run(
            losing: { $0 == CheckFinding.Blob(kind: .data, id: lost) }, removingSnapshots: true, under: lock)
        lock.release()
        #expect(report.repaired.count == 1)
        #expect(try run("check", "--read-data").contains("no errors were found"))
        let listed = try run("ls", "latest")
        #expect(listed.contains("/a.repaired") && listed.contains("/b/c"))
    }

    // MARK: Vectors

    @Test(arguments: ["v1", "v2"]) func `repositories that restic left behind are intact`(name: String) throws
    {
        let vector = TestPeers.Repository.url("Tests/2-Formats/Repository/Fixtures/\(name)")
        let store = FolderStore(FilePath(vector.path))
        let password = name == "v1" ? "correct horse 1" : "correct horse 2"
        let repository = try Repository.open(store, password: Fixture.secret(password))
        let report = try RepositoryCheck(repository, reading: .all).run()
        #expect(report.errors.isEmpty)
        #expect(report.snapshots == 2)
    }
}
