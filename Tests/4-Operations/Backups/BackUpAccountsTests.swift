import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseBackups
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Snapshots of accounts in a repository.
struct BackUpAccountsTests {
    private let fixture: BackupRunFixture

    init() async throws {
        fixture = try BackupRunFixture()
        try await fixture.account("laptop")
    }

    @Test func `several accounts go into one repository, and the next run stores next to nothing`()
        async throws
    {
        try await fixture.account("phone")
        let operation = try fixture.operation("laptop", "phone")
        let first = try await operation.run(in: fixture.context)
        #expect(first.accounts.count == 2 && !first.hasEntryErrors && first.failure == nil)
        #expect(first.accounts.allSatisfy { $0.snapshot?.parent == nil && $0.snapshot?.files.new == 3 })
        let second = try await operation.run(in: fixture.context)
        for (before, now) in zip(first.accounts, second.accounts) {
            #expect(now.snapshot?.parent == before.snapshot?.snapshot)
            #expect(now.snapshot?.files.unchanged == 3)
            #expect(now.snapshot?.databases.allSatisfy { $0.newGroups == 0 } == true)
            let large = try #require(before.snapshot?.storedSize)
            let small = try #require(now.snapshot?.storedSize)
            #expect(small * 2 < large)
        }
        let snapshots = try fixture.snapshots()
        #expect(snapshots.count == 4)
        #expect(
            Set(snapshots.flatMap(\.record.paths)) == [
                fixture.folder.appending("laptop").string, fixture.folder.appending("phone").string,
            ])
        let memory = try #require(try fixture.memory())
        #expect(memory.snapshots == Set(snapshots.map(\.id.text)))
        #expect(memory.accounts.map(\.lastRun?.hasSucceeded) == [true, true])
        #expect(fixture.takeNotes().isEmpty)
    }

    @Test func `an account that does not open does not keep the others from it`() async throws {
        try await fixture.account("other", key: "x'\(String(repeating: "11", count: 32))'")
        let report = try await fixture.operation("other", "missing", "laptop").run(in: fixture.context)
        #expect(report.accounts.map(\.failure?.code) == [.wrongPassphrase, .notFound, nil])
        #expect(report.hasEntryErrors && report.failure == nil && report.entryFailures.count == 2)
        #expect(try fixture.snapshots().count == 1)
        let memory = try #require(try fixture.memory())
        #expect(memory.accounts.map { $0.lastFailure == nil } == [false, true])
        let text = report.text(isDryRun: false) { _ in nil }
        #expect(text.contains("other: not backed up: ") && text.contains("laptop: snapshot "))

        let none = try await fixture.operation("other", "missing").run(in: fixture.context)
        #expect(none.failure?.code == .wrongPassphrase)
        await #expect(throws: AccountMediaError.self) {
            try await fixture.operation("other").run(in: fixture.context)
        }
        #expect(try fixture.snapshots().count == 1)
    }

    @Test func `a plan says what would be stored, and writes nothing`() async throws {
        let before = try TemporaryFolder.contents(of: fixture.folder.path)
        let plan = try await fixture.operation("laptop").plan(in: fixture.context)
        let planned = try #require(plan.accounts.first?.snapshot)
        #expect(planned.snapshot == nil && planned.storedSize == nil && planned.addedSize > 0)
        #expect(try TemporaryFolder.contents(of: fixture.folder.path) == before)
        let report = try await fixture.operation("laptop").run(in: fixture.context)
        let stored = try #require(report.accounts.first?.snapshot)
        #expect(stored.files == planned.files && stored.storedSize != nil)
    }

    @Test func `what a run stored that was killed is not stored again`() async throws {
        let first = try await fixture.operation("laptop").run(in: fixture.context)
        let stored = try #require(first.accounts.first?.snapshot)
        try fixture.loseIndexes()
        try fixture.remove(try #require(stored.snapshot))
        // The record of one that came to its end: nobody looks for anything.
        let all = try await fixture.operation("laptop").run(in: fixture.context)
        #expect(try #require(all.accounts.first?.snapshot?.storedSize) * 2 > stored.storedSize ?? 0)
        #expect(fixture.takeNotes().allSatisfy { !$0.contains("interrupted") })

        try fixture.loseIndexes()
        try fixture.remove(try #require(all.accounts.first?.snapshot?.snapshot))
        try RepositoryMemories(fixture.context.folders).update(
            fixture.opened().config.id, at: fixture.input().place
        ) {
            $0.begunRun = 1
        }
        let next = try await fixture.operation("laptop").run(in: fixture.context)
        #expect(try #require(next.accounts.first?.snapshot?.storedSize) * 2 < stored.storedSize ?? 0)
        #expect(fixture.takeNotes().contains { $0.contains("a backup that was interrupted had stored") })
        #expect(try fixture.memory()?.begunRun == nil)
    }

    @Test func `a damaged account is refused, unless it is asked for as it is`() async throws {
        let chat = AccountLocation(directory: fixture.folder.appending("laptop")).path(of: .chat)
        var bytes = try fixture.fileSystem.contents(of: chat, limit: 1 << 28)
        bytes[3 * 4096 + 100] ^= 1
        try fixture.fileSystem.replace(chat, with: bytes)
        var operation = try fixture.operation("laptop")
        do {
            _ = try await operation.run(in: fixture.context)
            Issue.record("it is backed up")
        } catch let error as any Failure {
            #expect(error.code == .damaged)
        }
        #expect(try fixture.snapshots().isEmpty)
        #expect(try fixture.memory()?.accounts.first?.lastFailure != nil)
        operation.keepsDamaged = true
        let report = try await operation.run(in: fixture.context)
        #expect(report.hasEntryErrors && report.failure == nil)
        #expect(try fixture.snapshots().map(\.record.tags) == [["partial"]])
        #expect(try fixture.memory()?.accounts.first?.lastRun?.hasSucceeded == false)
    }

    @Test func `sealed snapshots need no passphrase, and others say that they do`() async throws {
        var operation = try fixture.operation("laptop", key: nil)
        await #expect(throws: OperationError.self) { try await operation.run(in: fixture.context) }
        operation.isSealed = true
        operation.tags = ["night"]
        operation.hostname = "elsewhere"
        let report = try await operation.run(in: fixture.context)
        #expect(report.accounts.first?.snapshot?.databases.map(\.mode) == [.sealed, .sealed])
        let record = try #require(try fixture.snapshots().first?.record)
        #expect(record.tags == ["night"] && record.hostname == "elsewhere")
    }

    @Test func `a repository that is locked for another program stops all of it`() async throws {
        try await fixture.account("phone")
        let lock = try RepositoryLock.take(fixture.opened(), isExclusive: true)
        defer { lock.release() }
        await #expect(throws: RepositoryError.self) {
            try await fixture.operation("laptop", "phone").run(in: fixture.context)
        }
        #expect(try fixture.snapshots().isEmpty)
    }

    @Test(.enabled(if: OtherProgram.isThere("restic")))
    func `restic finds nothing wrong with what several runs made`() async throws {
        try await fixture.account("phone")
        _ = try await fixture.operation("laptop", "phone").run(in: fixture.context)
        var sealed = try fixture.operation("laptop")
        sealed.isSealed = true
        _ = try await sealed.run(in: fixture.context)
        try fixture.fileSystem.replace(
            fixture.folder.appending("password"), with: Array(BackupRunFixture.password.utf8))
        let restic = try #require(OtherProgram("restic"))
        let (status, output) = try restic.run([
            "-r", fixture.folder.appending("repository").string, "-p",
            fixture.folder.appending("password").string, "--no-cache", "check", "--read-data",
        ])
        #expect(status == 0 && output.contains("no errors were found"), "\(output)")
    }
}
