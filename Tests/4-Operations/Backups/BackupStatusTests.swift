import FaultInjection
import Testing
import ValiseBackups
import ValiseEncoding
import ValiseRepository
import ValiseStorage

@testable import Valise

/// How old snapshots are, and when they were proved.
struct BackupStatusTests {
    private let fixture: BackupRunFixture

    init() async throws {
        fixture = try BackupRunFixture()
        try await fixture.account("laptop")
    }

    private func status(_ change: (inout ShowBackupStatus) -> Void = { _ in }) async throws -> BackupStatus {
        var operation = ShowBackupStatus(try fixture.input())
        change(&operation)
        return try await operation.run(in: fixture.context)
    }

    @Test func `an account is in time once it was backed up, online and offline`() async throws {
        #expect(try await status().isOverdue)
        let report = try await fixture.operation("laptop").run(in: fixture.context)
        for isOffline in [false, true] {
            let status = try await status { $0.isOffline = isOffline }
            #expect(!status.isOverdue && status.snapshotCount == (isOffline ? nil : 1))
            let account = try #require(status.accounts.first)
            #expect(account.name == fixture.folder.appending("laptop").string && !account.isLate)
            #expect(account.newest == report.accounts.first?.snapshot?.snapshot?.text)
            #expect(status.text.contains("(just now)") && status.text.contains("last drill: never"))
        }
        let late = try await status { $0.maxAge = -1 }
        #expect(late.isOverdue && late.text.contains("too old"))
    }

    @Test func `an account that was never backed up is late, and those of other machines are not shown`()
        async throws
    {
        var operation = try fixture.operation("laptop")
        operation.hostname = "elsewhere"
        _ = try await operation.run(in: fixture.context)
        func named() async throws -> BackupStatus {
            try await status {
                $0.accounts = [
                    BackUpAccounts.Account(fixture.folder.appending("laptop")),
                    BackUpAccounts.Account(fixture.folder.appending("gone")),
                ]
            }
        }
        // Who made it here and gave another name has a snapshot.
        let here = try await named()
        #expect(here.accounts.map(\.isLate) == [false, true] && here.accounts[0].hostname == "elsewhere")
        try RepositoryMemories(fixture.context.folders).update(
            fixture.opened().config.id, at: fixture.input().place
        ) { $0.accounts = [] }
        let there = try await named()
        #expect(there.accounts.map(\.isLate) == [true, true] && there.text.contains("newest snapshot: none"))
        let other = try await status { $0.hostname = "elsewhere" }
        #expect(other.accounts.count == 1 && !other.isOverdue)
    }

    @Test func `a partial snapshot does not make an account young, and bad proofs are due`() async throws {
        _ = try await fixture.operation("laptop").run(in: fixture.context)
        let id = try fixture.opened().config.id
        func remember(_ change: (inout RepositoryMemory) -> Void) throws {
            try RepositoryMemories(fixture.context.folders).update(id, at: fixture.input().place, change)
        }
        let path = fixture.folder.appending("laptop")
        let now = UTCTime.now.seconds
        try remember { memory in
            memory.update(path, prefix: "simplex_v1") {
                $0.lastDrill = RepositoryMemory.Event(time: now - 3 * 86_400, hasSucceeded: true)
            }
            memory.lastVerification = RepositoryMemory.Event(
                time: now - 7200, hasSucceeded: true, extent: "1/7")
        }
        let good = try await status()
        #expect(!good.isOverdue && good.text.contains("(3 days ago), passed"))
        #expect(good.text.contains("(2 hours ago), read 1/7, no damage"))
        try remember { memory in
            memory.update(path, prefix: "simplex_v1") { $0.lastDrill?.hasSucceeded = false }
        }
        #expect(try await status().isOverdue)
        try remember { memory in
            memory.update(path, prefix: "simplex_v1") {
                $0.lastDrill?.hasSucceeded = true
                $0.lastRun?.hasSucceeded = false
            }
        }
        let partial = try await status { $0.isOffline = true }
        #expect(partial.isOverdue && partial.text.contains("incomplete"))
    }

    @Test func `without memory an offline status is refused`() async throws {
        await #expect(throws: OperationError.self) { try await status { $0.isOffline = true } }
    }
}
