import ValiseDatabase
import ValiseFailures

/// Rows that refer to rows that are lost.
///
/// They are kept unless told otherwise: the programs open such a database, and what a message says is worth
/// more than that its sender's row is there.
struct ReferenceCheck {
    private let target: SalvageTarget
    private let drops: Bool

    /// Leaving rows out may break further references; a real schema needs a few rounds.
    private static let mostRounds = 50

    init(_ target: SalvageTarget, drops: Bool) {
        self.target = target
        self.drops = drops
    }

    func run(_ report: inout SalvageReport.Database) throws {
        let broken = try count()
        report.brokenReferences = broken.map { key, rows in
            SalvageReport.References(table: key.table, parent: key.parent, rows: rows, dropped: drops)
        }.sorted { ($0.table, $0.parent) < ($1.table, $1.parent) }
        guard drops, !broken.isEmpty else { return }
        // With references switched on, leaving a row out does to others what the schema says.
        try target.flush()
        try target.connection.execute("COMMIT; PRAGMA foreign_keys = ON; BEGIN")
        for _ in 0..<Self.mostRounds {
            let before = try target.connection.value("SELECT total_changes()")
            for key in try count().keys { try drop(key) }
            if try target.connection.value("SELECT total_changes()") == before { break }
        }
        try target.connection.execute("COMMIT; PRAGMA foreign_keys = OFF; BEGIN")
    }

    private struct Key: Hashable {
        let table: String
        let parent: String
        let number: Int64
    }

    private func count() throws -> [Key: Int] {
        var counts: [Key: Int] = [:]
        for table in try target.connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            guard let name = table[0].text else { continue }
            for row in try broken(in: name) {
                guard let parent = row[0].text, let number = row[1].integer else { continue }
                counts[Key(table: name, parent: parent, number: number)] = Int(clamping: row[2].integer ?? 0)
            }
        }
        return counts
    }

    /// Where the table that is referred to is lost, or its key is, SQLite cannot say.
    private func broken(in table: String) throws -> [[Value]] {
        do {
            return try target.connection.rows(
                "SELECT parent, fkid, count(*) FROM pragma_foreign_key_check(?) GROUP BY 1, 2", [.text(table)]
            )
        } catch {
            guard error.code != .noSpace, error.code != .interrupted else { throw error }
            return []
        }
    }

    /// Sets the reference to NULL where the schema would, else leaves the row out.
    private func drop(_ key: Key) throws {
        let columns = try target.connection.rows(
            "SELECT \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq",
            [.text(key.table), .integer(key.number)])
        let pairs = try columns.enumerated().map { index, row in
            (from: row[0].text ?? "", to: try row[1].text ?? self.key(of: key.parent, index))
        }
        guard !pairs.isEmpty else { return }
        let table = key.table.quoted
        let isSet = pairs.map { "\(table).\($0.from.quoted) IS NOT NULL" }.joined(separator: " AND ")
        let isSame = pairs.map { "p.\($0.to.quoted) = \(table).\($0.from.quoted)" }.joined(separator: " AND ")
        let condition =
            "\(isSet) AND NOT EXISTS (SELECT 1 FROM \(key.parent.quoted) AS p WHERE \(isSame))"
        if columns[0][2] == .text("SET NULL") {
            let nulls = pairs.map { "\($0.from.quoted) = NULL" }.joined(separator: ", ")
            if try isDone("UPDATE \(table) SET \(nulls) WHERE \(condition)") { return }
        }
        _ = try isDone("DELETE FROM \(table) WHERE \(condition)")
    }

    /// Runs a statement that a constraint, or a schema with lost parts, may not allow: then the rows stay.
    private func isDone(_ sql: String) throws -> Bool {
        do {
            try target.connection.run(sql)
            return true
        } catch {
            guard error.code != .noSpace, error.code != .interrupted else { throw error }
            return false
        }
    }

    /// A reference without columns means the key of the parent.
    private func key(of parent: String, _ index: Int) throws -> String {
        let names = try target.connection.rows(
            "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [.text(parent)])
        return index < names.count ? names[index][0].text ?? "rowid" : "rowid"
    }
}
