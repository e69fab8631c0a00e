import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSampleAccounts
import ValiseSecrets

/// A sample account that tests damage, and what SQLite says of its pages and rows.
final class SalvageFixture: Sendable {
    /// What SQLite's `dbstat` says of a page.
    struct PageFacts: Sendable {
        let name: String
        let kind: String
        let cells: Int
    }

    struct Original: Sendable {
        let bytes: [UInt8]
        let rows: [String: [[Value]: Int]]
        let schema: [[Value]]
        let pages: [Int: PageFacts]
        let tables: Set<String>
        let withoutRowID: Set<String>
        let autoVacuum: Value?
    }

    static let pageSize = 4096
    static let rawKey = Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8)

    let originals: [AccountDatabase: Original]

    /// With auto-vacuum, as the official programs make databases; and without, as after an official rekey.
    static let withMap = Result { try SalvageFixture(autoVacuum: 1, passphrase: rawKey) }
    static let withoutMap = Result { try SalvageFixture(autoVacuum: 0, passphrase: rawKey) }
    static let plain = Result { try SalvageFixture(autoVacuum: 1, passphrase: []) }

    let passphrase: [UInt8]

    private init(autoVacuum: Int, passphrase: [UInt8]) throws {
        self.passphrase = passphrase
        let folder = try TemporaryFolder("valise-salvage")
        let location = AccountLocation(directory: folder.appending("account"))
        let key = try SecretBytes(copying: passphrase)
        try SampleAccount(.init(messages: 500)).build(location, passphrase: key)
        var originals: [AccountDatabase: Original] = [:]
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            do {
                let connection = try Connection(path, mode: .readWrite, passphrase: key)
                if database == .chat {
                    // Some rows go on over several pages.
                    try connection.execute(
                        "UPDATE messages SET msg_body = printf('{\"n\":%d,\"t\":\"%.*c\"}', message_id, 9000, 'x') "
                            + "WHERE message_id % 61 = 0")
                }
                try connection.execute("PRAGMA user_version = 7; PRAGMA auto_vacuum = \(autoVacuum); VACUUM")
            }
            originals[database] = try Self.read(path, key)
        }
        self.originals = originals
    }

    private static func read(_ path: FilePath, _ key: borrowing SecretBytes) throws -> Original {
        let connection = try Connection(path, mode: .readOnly, passphrase: key)
        var pages: [Int: PageFacts] = [:]
        for row in try connection.rows("SELECT pageno, name, pagetype, ncell FROM dbstat") {
            pages[Int(row[0].integer ?? 0)] = PageFacts(
                name: row[1].text ?? "", kind: row[2].text ?? "", cells: Int(row[3].integer ?? 0))
        }
        let tables = try connection.rows("SELECT name, wr FROM pragma_table_list WHERE schema = 'main'")
        return Original(
            bytes: try FileSystem().contents(of: path, limit: 1 << 28), rows: try dump(connection),
            schema: try schema(connection), pages: pages, tables: Set(tables.compactMap { $0[0].text }),
            withoutRowID: Set(tables.filter { $0[1] == .integer(1) }.compactMap { $0[0].text }),
            autoVacuum: try connection.value("PRAGMA auto_vacuum"))
    }

    static func schema(_ connection: borrowing Connection) throws -> [[Value]] {
        try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    }

    static func dump(_ connection: borrowing Connection) throws -> [String: [[Value]: Int]] {
        var dump: [String: [[Value]: Int]] = [:]
        for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            guard let name = table[0].text else { continue }
            // A lost row of migrations is written anew, and the time of that is another.
            let columns = name == "migrations" ? "name, down" : "*"
            for row in try connection.rows("SELECT \(columns) FROM \"\(name)\"") {
                dump[name, default: [:]][row, default: 0] += 1
            }
        }
        return dump
    }

    // MARK: Damage and rescue

    /// What was saved of one damaged database.
    struct Outcome {
        let report: SalvageReport.Database
        /// Rows of the original that are not in the new database.
        let lost: [String: Int]
        /// Rows of the new database that are not in the original.
        let invented: [String: Int]
        let schema: [[Value]]
        let autoVacuum: Value?
        let userVersion: Value?
        /// How many references lead to rows that are not there.
        let brokenReferences: Int

        var lostCount: Int { lost.values.reduce(0, +) }
    }

    /// Writes an account with these bytes and gives its place.
    func place(_ files: [AccountDatabase: [UInt8]], in folder: TemporaryFolder) throws -> AccountLocation {
        let location = AccountLocation(directory: folder.appending("damaged"))
        try FileSystem().makeDirectory(location.directory)
        for (database, bytes) in files {
            var file = try FileSystem().create(location.path(of: database))
            try file.write(bytes)
        }
        return location
    }

    func salvage(
        _ database: AccountDatabase, _ bytes: [UInt8], options: SalvageOptions = SalvageOptions()
    ) throws -> Outcome {
        let folder = try TemporaryFolder("valise-salvage")
        let location = try place([database: bytes], in: folder)
        let key = try SecretBytes(copying: passphrase)
        let target = folder.appending("saved")
        let before = try TemporaryFolder.contents(of: location.directory)
        let report = try AccountSalvage().run(location, to: target, passphrase: key, options: options)
        #expect(
            try TemporaryFolder.contents(of: location.directory) == before, "the damaged account was changed")
        #expect(try !FileSystem().exists(folder.appending("saved.partial")))
        let saved = AccountLocation(directory: target).path(of: database)
        let connection = try Connection(saved, mode: .readOnly, passphrase: key)
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
        let rows = try Self.dump(connection)
        guard let original = originals[database],
            let part = report.databases.first(where: { $0.database == database })
        else { throw SalvageFixtureError() }
        return Outcome(
            report: part, lost: Self.difference(original.rows, rows),
            invented: Self.difference(rows, original.rows), schema: try Self.schema(connection),
            autoVacuum: try connection.value("PRAGMA auto_vacuum"),
            userVersion: try connection.value("PRAGMA user_version"),
            brokenReferences: try connection.rows("PRAGMA foreign_key_check").count)
    }

    private static func difference(
        _ first: [String: [[Value]: Int]], _ second: [String: [[Value]: Int]]
    ) -> [String: Int] {
        var result: [String: Int] = [:]
        for (table, rows) in first {
            let count = rows.reduce(0) { $0 + max(0, $1.value - (second[table]?[$1.key] ?? 0)) }
            if count > 0 { result[table] = count }
        }
        return result
    }

    /// Whether a page belongs to a table and has no rows: then nobody can tell, once it is lost.
    func isEmptyTablePage(_ database: AccountDatabase, page: Int) -> Bool {
        guard let original = originals[database], let facts = original.pages[page] else { return false }
        return original.tables.contains(facts.name) && facts.cells == 0
    }

    /// What may be lost with a page, and must be: nothing for indexes, schema and bookkeeping; the rows on it;
    /// one row for a page that continues a row.
    func expectedLoss(_ database: AccountDatabase, page: Int) -> [String: Int] {
        guard let original = originals[database], let facts = original.pages[page],
            original.tables.contains(facts.name), !facts.name.hasPrefix("sqlite_"), facts.name != "migrations"
        else { return [:] }
        switch facts.kind {
        case "overflow": return [facts.name: 1]
        case "internal" where !original.withoutRowID.contains(facts.name): return [:]
        default: return facts.cells > 0 ? [facts.name: facts.cells] : [:]
        }
    }
}

struct SalvageFixtureError: Error {}
