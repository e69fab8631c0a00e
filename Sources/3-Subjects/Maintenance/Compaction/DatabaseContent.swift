import ValiseDatabase

/// What a database holds, in everything by which a copy of it is compared: settings, schema, numbers of rows.
struct DatabaseContent: Equatable {
    private let settings: [String: Value?]
    private let schema: Set<[Value]>
    private let rows: [String: Int64]
    private let orphans: Value?

    private static let settingNames = [
        "application_id", "auto_vacuum", "encoding", "page_size", "user_version",
    ]

    init(_ connection: borrowing Connection) throws(DatabaseError) {
        var settings: [String: Value?] = [:]
        for name in Self.settingNames { settings[name] = try connection.value("PRAGMA \(name)") }
        self.settings = settings
        schema = Set(try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master"))
        var rows: [String: Int64] = [:]
        for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            guard let name = table[0].text else { continue }
            let quoted = name.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            rows[name] = try connection.value("SELECT count(*) FROM \"\(quoted)\"")?.integer
        }
        self.rows = rows
        orphans = try connection.value("SELECT count(*) FROM pragma_foreign_key_check")
    }

    /// What differs in another one, in a few words; nil where nothing does.
    func difference(from other: DatabaseContent) -> String? {
        if settings != other.settings { return "its settings" }
        if schema != other.schema { return "its schema" }
        for (table, count) in rows.sorted(by: { $0.key < $1.key }) where other.rows[table] != count {
            return "the number of rows of \(table)"
        }
        return orphans == other.orphans ? nil : "its broken references"
    }
}
