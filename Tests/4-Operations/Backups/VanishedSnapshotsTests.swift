import FaultInjection
import Testing
import ValiseBackups
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Snapshots that are gone without having been forgotten here.
struct VanishedSnapshotsTests {
    private let fixture: BackupRunFixture

    init() async throws {
        fixture = try BackupRunFixture()
        try await fixture.account("laptop")
    }

    private func backUp() async throws -> BackupRun {
        try await fixture.operation("laptop").run(in: fixture.context)
    }

    private func status(_ change: (inout ShowBackupStatus) -> Void = { _ in }) async throws -> BackupStatus {
        var operation = ShowBackupStatus(try fixture.input())
        change(&operation)
        return try await operation.run(in: fixture.context)
    }

    @Test func `the next run warns of it once, and the status for a week`() async throws {
        let first = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        _ = try await backUp()
        #expect(fixture.takeNotes().isEmpty)
        try fixture.remove(first)
        // Without a lock nothing is written down.
        #expect(try await status().vanished.keys.sorted() == [first.text])
        let report = try await backUp()
        #expect(report.vanished == [first.text] && !report.hasEntryErrors)
        let notes = fixture.takeNotes()
        #expect(notes.count == 1 && notes[0].contains("1 snapshot") && notes[0].contains("\(first)"))
        #expect(try await backUp().vanished.isEmpty && fixture.takeNotes().isEmpty)
        for isOffline in [false, true] {
            let status = try await status { $0.isOffline = isOffline }
            #expect(status.vanished.keys.sorted() == [first.text] && status.isOverdue)
            #expect(status.text.contains("missing, and not removed from here: snapshot \(first)"))
        }
        try RepositoryMemories(fixture.context.folders).update(
            fixture.opened().config.id, at: fixture.input().place
        ) { memory in
            memory.vanished = memory.vanished.mapValues { $0 - 8 * 86_400 }
        }
        #expect(try await status().vanished.isEmpty)
    }

    @Test func `what this user forgot is no alarm, and what stayed is remembered again`() async throws {
        let first = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        let second = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        let memories = RepositoryMemories(fixture.context.folders)
        try memories.forget(fixture.opened().config.id, [first, second])
        #expect(try fixture.memory()?.snapshots.isEmpty == true)
        try fixture.remove(first)
        #expect(try await backUp().vanished.isEmpty && fixture.takeNotes().isEmpty)
        #expect(try fixture.memory()?.snapshots.contains(second.text) == true)
    }

    @Test func `one that another replaced, or that is damaged, did not vanish`() async throws {
        let first = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        let second = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        let repository = try fixture.opened()
        var record = try #require(try fixture.snapshots().first { $0.id == first }).record
        record.original = first
        record.tags = ["renamed"]
        try repository.save(.snapshots, record.json)
        try fixture.remove(first)
        let path = fixture.folder.appending("repository/snapshots/\(second.text)")
        try fixture.fileSystem.remove(path)
        try fixture.fileSystem.replace(path, with: Array("damaged".utf8))
        let report = try await backUp()
        #expect(report.vanished.isEmpty && report.repositoryProblems.count == 1)
        #expect(try fixture.memory()?.snapshots.contains(second.text) == true)
    }

    @Test func `a repository that is put back is no longer missing anything`() async throws {
        let first = try #require(try await backUp().accounts.first?.snapshot?.snapshot)
        _ = try await backUp()
        let path = fixture.folder.appending("repository/snapshots/\(first.text)")
        let bytes = try fixture.fileSystem.contents(of: path, limit: 1 << 20)
        try fixture.remove(first)
        #expect(try await backUp().vanished == [first.text])
        try fixture.fileSystem.replace(path, with: bytes)
        #expect(try await backUp().vanished.isEmpty)
        #expect(try await status().vanished.isEmpty)
    }
}
