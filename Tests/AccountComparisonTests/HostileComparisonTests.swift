import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// Archives whose data are not what their directory says, and databases that were made to do harm.
struct HostileComparisonTests {
    private let fixture: ComparedFixture

    init() throws {
        fixture = try ComparedFixture()
    }

    // MARK: Damage behind a right directory

    /// A copy of an archive of stored entries, with 4 KiB zeroed inside of a file of the account.
    private func damaged(_ archive: FilePath, in file: FilePath) throws -> FilePath {
        var bytes = try fixture.fileSystem.contents(of: archive, limit: 1 << 26)
        let content = try fixture.fileSystem.contents(of: file, limit: 1 << 26)
        // The first page of an encrypted database begins with a random salt.
        let start = try #require(
            (0..<bytes.count - 64).first {
                bytes[$0] == content[0] && bytes[$0 + 1] == content[1]
                    && bytes[$0..<$0 + 64].elementsEqual(content[..<64])
            })
        let length = min(4096, content.count / 2)
        for place in start + content.count / 4..<start + content.count / 4 + length { bytes[place] = 0 }
        let path = archive.appendingSuffix("-damaged.zip")
        try fixture.fileSystem.replace(path, with: bytes)
        return path
    }

    @Test(arguments: AccountDatabase.allCases)
    func `a database that is damaged behind a right directory is told, not called the same`(
        database: AccountDatabase
    ) throws {
        let account = try fixture.account("a")
        let archive = try fixture.archive(account, compresses: false)
        let damaged = try damaged(archive, in: account.path(of: database))
        for (first, second) in [(archive, damaged), (damaged, archive), (account.directory, damaged)] {
            let error = #expect(throws: ComparisonError.self) { try fixture.compare(first, second) }
            #expect(error?.code == .damaged)
            #expect(error?.subject == damaged.appending(database.archiveName).string)
        }
        let alone = #expect(throws: ComparisonError.self) { try fixture.compare(damaged, damaged) }
        #expect(alone?.code == .damaged)
    }

    @Test func `an interruption ends the check of an archive's databases`() throws {
        let archive = try fixture.archive(fixture.account("a"))
        #expect(throws: Interruption.self) {
            _ = try fixture.compare(archive, archive) {
                if $0.activity.hasPrefix("checking the databases") { throw Interruption() }
            }
        }
    }

    // MARK: Schemas

    private static let endless = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i)"

    private static let named = [
        "users": "user_id, 'x' AS local_display_name", "migrations": "name",
        "chat_items": "chat_item_id, 1 AS item_sent", "files": "file_id, 'x' AS file_path",
        "contacts": "contact_id", "contact_profiles": "contact_profile_id", "groups": "group_id",
        "group_profiles": "group_profile_id", "note_folders": "note_folder_id",
    ]

    private func view(_ name: String, _ columns: String) -> String {
        "CREATE VIEW \(name) AS \(Self.endless) AS \(columns) FROM n"
    }

    /// Whatever is compared ends by itself: a test that hangs is stopped.
    private func expectRefusal(_ error: ComparisonError?, _ name: String) {
        #expect(error?.code == .unsupported, "\(name)")
        #expect(error?.message.lowercased().contains(name) == true, "\(String(describing: error))")
    }

    @Test(.timeLimit(.minutes(1)), arguments: Self.named.keys.sorted())
    func `an endless view under the name of any table that is read is refused`(name: String) throws {
        let view = view(name.uppercased(), Self.named[name] ?? "")
        let (good, bad) = (
            try fixture.bare("a", chat: "CREATE TABLE t (x)"),
            try fixture.bare("b", chat: "CREATE TABLE t (x); \(view)")
        )
        for (first, second) in [(good, bad), (bad, good)] {
            expectRefusal(
                #expect(throws: ComparisonError.self) { try fixture.compare(first, second) }, name)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a view whose row in the schema bears another name, or calls itself a table, is refused`() throws {
        let good = try fixture.bare("a", chat: "CREATE TABLE t (x)")
        for (number, forgery) in ["name = 'harmless', tbl_name = 'harmless'", "type = 'table'"].enumerated() {
            let bad = try fixture.bare(
                "b\(number)",
                chat: """
                    CREATE TABLE t (x); \(view("users", Self.named["users"] ?? ""));
                    PRAGMA writable_schema = ON; UPDATE sqlite_master SET \(forgery) WHERE name = 'users'
                    """)
            // SQLite itself may be the one that refuses it.
            #expect(throws: (any Error).self) { try fixture.compare(good, bad) }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an endless view under a name of its own is never run`() throws {
        let script = "CREATE TABLE t (x); INSERT INTO t VALUES (1); \(view("harmless", "x"))"
        let (first, second) = (
            try fixture.bare("a", chat: script), try fixture.bare("b", chat: script + " WHERE i > 0")
        )
        let report = try fixture.compare(first, second)
        #expect(try report.database(.chat).schema?.objectsDifferent.items == ["view harmless"])
        #expect(try report.database(.chat).tables.items.map(\.name) == ["t"])
    }

    @Test func `long statements are told apart, and too many or too long ones are refused`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        func script(_ views: Int, _ end: String) -> String {
            "CREATE TABLE t (x);"
                + (0..<views).map { "CREATE VIEW v\($0) AS SELECT '\(long)\(end)';" }.joined()
        }
        let report = try fixture.compare(
            fixture.bare("a", chat: script(2, "a")), fixture.bare("b", chat: script(2, "b")))
        #expect(try report.database(.chat).schema?.objectsDifferent.items == ["view v0", "view v1"])
        let error = #expect(throws: ComparisonError.self) {
            try fixture.compare(
                fixture.bare("c", chat: script(1, "")), fixture.bare("d", chat: script(20, "")))
        }
        #expect(error?.code == .unsupported)
    }

    // MARK: Interruption

    @Test(.timeLimit(.minutes(1))) func `an interruption stops a query that is running`() throws {
        // No row of it is ever wanted, so that SQLite comes back only when it has gone through all.
        let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
        let script = "CREATE TABLE lone (x); \(rows) INSERT INTO lone SELECT i FROM n"
        let (first, second) = (
            try fixture.bare("a", chat: "CREATE TABLE t (x)"), try fixture.bare("b", chat: script)
        )
        var looks = 0
        #expect(throws: Interruption.self) {
            _ = try fixture.compare(first.directory, second.directory) {
                guard $0.activity == "counting the rows of the table lone" else { return }
                looks += 1
                if looks == 3 { throw Interruption() }
            }
        }
    }
}
