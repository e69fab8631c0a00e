import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance

struct AccountCompactionTests {
    private struct Stopped: Error {}

    /// An account with pages that hold nothing, in a database that keeps them or gives them back.
    private func fixture(autoVacuum: Int64) throws -> AccountFixture {
        let fixture = try AccountFixture(marker: "kept")
        for database in AccountDatabase.allCases {
            let connection = try Connection(
                fixture.location.path(of: database), mode: .readWrite, passphrase: AccountFixture.key())
            try connection.execute("PRAGMA auto_vacuum = \(autoVacuum); VACUUM")
            try connection.execute(
                """
                PRAGMA user_version = 7; PRAGMA application_id = 99;
                CREATE TABLE junk (id INTEGER PRIMARY KEY, x, UNIQUE (x));
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO junk SELECT i, randomblob(900) FROM n; DELETE FROM junk WHERE id % 3 != 0
                """)
        }
        return fixture
    }

    private func run(
        _ fixture: AccountFixture, fileSystem: FileSystem = FileSystem(),
        progress: ProgressHandler = { _ in }
    ) throws -> CompactionReport {
        try AccountCompaction(fileSystem: fileSystem).run(
            fixture.location, passphrase: AccountFixture.key(), progress: progress)
    }

    @Test(arguments: [0, 1, 2] as [Int64])
    func `gives the space back and keeps content, key and settings`(autoVacuum: Int64) throws {
        let fixture = try fixture(autoVacuum: autoVacuum)
        let salt = try FileSystem().openForReading(fixture.location.path(of: .chat)).bytes(at: 0, count: 16)
        let plan = try AccountCompaction().plan(fixture.location, passphrase: AccountFixture.key())
        let report = try run(fixture)
        // How full the pages of the index are depends on its random order.
        #expect(report.freed > 50_000)
        #expect(report.freed >= plan.smallestGain)
        #expect(report.plan.steps == plan.steps)
        for (database, step) in zip(AccountDatabase.allCases, plan.steps) {
            let path = fixture.location.path(of: database)
            let connection = try Connection(path, mode: .readOnly, passphrase: AccountFixture.key())
            #expect(try connection.value("PRAGMA auto_vacuum") == .integer(autoVacuum))
            #expect(try connection.value("PRAGMA user_version") == 7)
            #expect(try connection.value("PRAGMA application_id") == 99)
            #expect(try connection.value("PRAGMA integrity_check") == "ok")
            #expect(try connection.rows("PRAGMA cipher_integrity_check").isEmpty)
            #expect(try connection.value("SELECT count(*) FROM junk") == 100)
            #expect(try connection.value("PRAGMA freelist_count") == 0)
            let attributes = try #require(try fixture.fileSystem.attributes(of: path))
            #expect(attributes.size <= step.estimate)
            #expect(attributes.permissions == .ownerReadWrite)
        }
        #expect(
            try FileSystem().openForReading(fixture.location.path(of: .chat)).bytes(at: 0, count: 16) == salt)
        #expect(try AccountFixture.marks(fixture.location) == ["kept", "kept"])
        try fixture.expectNoLeftovers()
    }

    @Test func `a plan and an interrupted run change nothing, not one byte`() throws {
        let fixture = try fixture(autoVacuum: 0)
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        _ = try AccountCompaction().plan(fixture.location, passphrase: AccountFixture.key())
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
        let template = fixture.folder.appending("template")
        try TemporaryFolder.copyTree(fixture.location.directory, to: template)
        var calls = 0
        _ = try run(fixture) { _ in calls += 1 }
        try #require(calls > 5)
        for stop in 1...calls {
            try fixture.restore(from: template)
            var call = 0
            #expect(throws: Stopped.self) {
                try run(fixture) { _ in
                    call += 1
                    if call == stop { throw Stopped() }
                }
            }
            #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before, "call \(stop)")
        }
    }

    @Test func `crashed or out of space at any operation, both databases are the previous or the new ones`()
        throws
    {
        let fixture = try fixture(autoVacuum: 0)
        let template = fixture.folder.appending("template")
        try TemporaryFolder.copyTree(fixture.location.directory, to: template)
        var position = 1
        var reached = true
        var seen: Set<[Value?]> = []
        while reached {
            for fault in FaultSweep.turn(
                of: [FaultPlan.Fault.crash, .fail(.noSpace), .fail(.ioError)], at: position)
            {
                try fixture.restore(from: template)
                let plan = FaultPlan(fault, at: position)
                _ = try? run(fixture, fileSystem: FileSystem(interposer: plan))
                reached = plan.wasReached
                _ = try AccountWriter(fixture.location, fileSystem: fixture.fileSystem)
                let free = try AccountDatabase.allCases.map {
                    let connection = try Connection(
                        fixture.location.path(of: $0), mode: .readOnly, passphrase: AccountFixture.key())
                    #expect(try connection.value("PRAGMA integrity_check") == "ok")
                    return try connection.value("PRAGMA freelist_count") == 0 ? 0 : 1 as Value?
                }
                #expect(free == [0, 0] || free == [1, 1], "operation \(position)")
                seen.insert(free)
                try fixture.expectNoLeftovers()
            }
            position += 1
        }
        #expect(position > 10)
        #expect(seen.count == 2)
    }

    @Test func `a damaged database is refused and stays as it is`() throws {
        let fixture = try fixture(autoVacuum: 0)
        let path = fixture.location.path(of: .chat)
        var file = try fixture.fileSystem.openForUpdating(path)
        try file.seek(to: 40 * 4096 + 100)
        try file.write([UInt8](repeating: 7, count: 100))
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        let error = try #require(throws: MaintenanceError.self) { try run(fixture) }
        #expect(error.code == .damaged)
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
    }

    @Test func `a hot journal is folded in first; a plan reads a copy`() throws {
        let fixture = try AccountFixture(marker: "committed")
        try HotJournal.leave(fixture.location.path(of: .chat), fixture)
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        _ = try AccountCompaction().plan(fixture.location, passphrase: AccountFixture.key())
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
        _ = try run(fixture)
        #expect(try AccountFixture.marks(fixture.location) == ["committed", "committed"])
    }
}
