import FaultInjection
import StoreContract
import SystemPackage
import Testing
import ValiseAccounts
import ValiseBackups
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// A run or a restore that dies at any moment.
struct CrashedBackupTests {
    @Test func `after a crash at any call to the store the next run succeeds`() throws {
        let memory = MemoryStore()
        let fixture = try BackupFixture(rows: 60, store: memory)
        _ = try fixture.backUp()
        try fixture.changeRow()
        try fixture.addMedia("new", BackupFixture.noise(300_000, seed: 3))
        let start = memory.files
        let counting = FaultyStore(MemoryStore(start), .none)
        _ = try fixture.backUp(into: fixture.reopened(counting))
        #expect(counting.count > 10)
        for position in 1...counting.count {
            for fault in [FaultyStore.Fault.crash, .crashAfterwards] {
                let store = MemoryStore(start)
                let faulty = FaultyStore(store, fault, at: position)
                do {
                    _ = try fixture.backUp(into: fixture.reopened(faulty))
                } catch {
                    #expect(faulty.wasReached)
                }
                let repository = try fixture.reopened(store)
                let snapshots = try BackupFixture.check(repository)
                #expect((1...2).contains(snapshots))
                // The lock of the dead process is one of this process, which runs.
                let next = try fixture.backUp(into: fixture.reopened(store))
                #expect(next.problems.isEmpty && next.repositoryProblems.isEmpty)
                #expect(try BackupFixture.check(fixture.reopened(store)) == snapshots + 1)
            }
        }
    }

    @Test func `a restore that dies at any operation leaves nothing or all`() throws {
        let fixture = try BackupFixture(rows: 20)
        let report = try fixture.backUp()
        let counting = FaultPlan(.none)
        _ = try fixture.restore(
            report.snapshot, to: "counted", fileSystem: FileSystem(interposer: counting))
        let rows = try BackupFixture.rows(fixture.location, RekeyFixture.old)
        for position in 1...counting.count {
            let plan = FaultPlan(position % 2 == 0 ? .crash : .fail(.noSpace), at: position)
            let name = "restored \(position)"
            let folder = fixture.account.folder.appending(name)
            do {
                _ = try fixture.restore(
                    report.snapshot, to: name, fileSystem: FileSystem(interposer: plan))
            } catch {
                #expect(plan.wasReached)
            }
            if try fixture.fileSystem.exists(folder) {
                #expect(
                    try BackupFixture.rows(AccountLocation(directory: folder), RekeyFixture.new) == rows)
            } else {
                // What it left is no obstacle.
                _ = try fixture.restore(report.snapshot, to: name)
            }
            #expect(try !fixture.fileSystem.exists(folder.appendingSuffix(".partial")))
            try fixture.fileSystem.removeTree(folder)
        }
    }
}
