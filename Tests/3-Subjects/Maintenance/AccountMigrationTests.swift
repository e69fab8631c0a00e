import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance

struct AccountMigrationTests {
    private static let older: [AccountDatabase: String] = [
        .chat: "0015_remote_access", .agent: "0010_sent_files",
    ]
    private static let newest = ["0021_signed_messages", "0014_client_notices"]

    private func run(
        _ fixture: AccountFixture, _ confirmation: MigrationConfirmation = .yesUp, dryRun: Bool = false,
        fileSystem: FileSystem = FileSystem(), hook: Migrator.StatementHook = { _, _ in }
    ) throws -> AccountMigrationReport {
        try AccountMigration(fileSystem: fileSystem).run(
            fixture.location, passphrase: AccountFixture.key(), confirmation: confirmation, dryRun: dryRun,
            beforeStatement: hook)
    }

    @Test func `plans, runs, rolls back, runs again and confirms`() throws {
        let fixture = try AccountFixture(schema: Self.older, marker: "kept")
        let plan = try AccountMigration().plan(fixture.location, passphrase: AccountFixture.key())
        #expect(plan.steps.map(\.direction) == [.up, .up])
        #expect(plan.steps[0].migrations.count == 6)

        let report = try run(fixture)
        #expect(report.result == .ok)
        #expect(report.keepsBackup)
        #expect(try fixture.newest() == Self.newest)
        #expect(try AccountFixture.marks(fixture.location) == ["kept", "kept"])

        try AccountMigration().rollBack(fixture.location)
        #expect(try fixture.newest() == ["0015_remote_access", "0010_sent_files"])
        try fixture.expectNoLeftovers()

        #expect(try run(fixture).result == .ok)
        #expect(try AccountMigration().confirm(fixture.location).size > 0)
        try fixture.expectNoLeftovers()
        #expect(try run(fixture).plan.isEmpty)
        #expect { try AccountMigration().rollBack(fixture.location) } throws: {
            ($0 as? MaintenanceError)?.code == .notFound
        }
    }

    @Test func `goes down where that is allowed, with the data that remain`() throws {
        let fixture = try AccountFixture(marker: "kept")
        var lists: [AccountDatabase: MigrationList] = [:]
        for (database, target) in Self.older {
            lists[database] = try MigrationList(database.lineage.migrations, upTo: target)
        }
        let migration = try AccountMigration(lists: lists)
        let refused = try migration.run(
            fixture.location, passphrase: AccountFixture.key(), confirmation: .yesUp)
        guard case .errorMigration(_, .downgrade(let names)) = refused.result else {
            Issue.record("\(refused.result)")
            return
        }
        #expect(names.first == "0021_signed_messages")
        let report = try migration.run(
            fixture.location, passphrase: AccountFixture.key(), confirmation: .yesUpDown)
        #expect(report.result == .ok)
        #expect(try fixture.newest() == ["0015_remote_access", "0010_sent_files"])
        #expect(try AccountFixture.marks(fixture.location) == ["kept", "kept"])
    }

    @Test func `a dry run changes nothing, not one byte`() throws {
        let fixture = try AccountFixture(schema: Self.older)
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        #expect(try run(fixture, dryRun: true).result == .ok)
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
        let error = try run(fixture, .error)
        guard case .errorMigration(let file, .upgrade(let ups)) = error.result else {
            Issue.record("\(error.result)")
            return
        }
        #expect(file == fixture.location.path(of: .chat).string)
        #expect(ups.count == 6)
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
    }

    @Test func `a failure at any statement of either database leaves both as they were`() throws {
        let fixture = try AccountFixture(schema: Self.older)
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        var statements = 0
        _ = try run(fixture, dryRun: true) { _, _ in statements += 1 }
        #expect(statements > 60)
        let first = FaultSweep.first(step: 1) - 1
        for failing in stride(from: first, to: statements, by: FaultSweep.step(1)) {
            var number = 0
            #expect(throws: MigrationError.self, "statement \(failing)") {
                try run(fixture) { _, _ in
                    defer { number += 1 }
                    if number == failing { throw DatabaseError(.failed, "injected", file: "x") }
                }
            }
            #expect(
                try TemporaryFolder.contents(of: fixture.location.directory) == before,
                "statement \(failing)")
        }
    }

    @Test func `crashed or out of space at any operation, both databases are of one schema`() throws {
        let fixture = try AccountFixture(schema: Self.older)
        let template = fixture.folder.appending("template")
        try TemporaryFolder.copyTree(fixture.location.directory, to: template)
        var position = 1
        var reached = true
        var seen: Set<[String?]> = []
        while reached {
            for fault in FaultSweep.turn(
                of: [FaultPlan.Fault.crash, .fail(.noSpace), .fail(.ioError)], at: position)
            {
                try fixture.restore(from: template)
                let plan = FaultPlan(fault, at: position)
                _ = try? run(fixture, fileSystem: FileSystem(interposer: plan))
                reached = plan.wasReached
                _ = try AccountWriter(fixture.location, fileSystem: fixture.fileSystem)
                let newest = try fixture.newest()
                seen.insert(newest)
                #expect(
                    newest == Self.newest || newest == ["0015_remote_access", "0010_sent_files"],
                    "operation \(position)")
                try fixture.expectNoLeftovers(allowBackup: newest == Self.newest)
            }
            position += 1
        }
        #expect(position > 15)
        #expect(seen.count == 2)
    }

    @Test func `an unconfirmed backup is not overwritten`() throws {
        let fixture = try AccountFixture(schema: Self.older)
        _ = try run(fixture)
        let lists = try [AccountDatabase.chat, .agent].reduce(into: [AccountDatabase: MigrationList]()) {
            $0[$1] = try MigrationList($1.lineage.migrations, upTo: Self.older[$1])
        }
        #expect {
            try AccountMigration(lists: lists).run(
                fixture.location, passphrase: AccountFixture.key(), confirmation: .yesUpDown)
        } throws: {
            ($0 as? MaintenanceError)?.code == .alreadyExists
        }
    }

    @Test func `a hot journal is folded in before anything else`() throws {
        let fixture = try AccountFixture(schema: Self.older, marker: "committed")
        try HotJournal.leave(fixture.location.path(of: .chat), fixture)
        #expect(try DatabaseFile(fixture.location.path(of: .chat), fileSystem: FileSystem()).needsFolding)
        #expect(try run(fixture).result == .ok)
        #expect(try AccountFixture.marks(fixture.location) == ["committed", "committed"])
        #expect(try !DatabaseFile(fixture.location.path(of: .chat), fileSystem: FileSystem()).needsFolding)
    }

    @Test func `tells what is not ours`() throws {
        let fixture = try AccountFixture()
        let connection = try Connection(
            fixture.location.path(of: .chat), mode: .readWrite, passphrase: AccountFixture.key())
        try connection.execute(
            "DELETE FROM migrations; INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL)"
        )
        let official = try #require(throws: MaintenanceError.self) { try run(fixture) }
        #expect(official.code == .unsupported)
        try connection.execute(
            "INSERT INTO migrations VALUES ('20990101_future', '2099-01-01 00:00:00', NULL)")
        let newer = try #require(throws: MaintenanceError.self) { try run(fixture) }
        #expect(newer.code == .newer)
    }
}
