import SystemPackage
import ValiseDatabase
import ValiseFailures

/// Refuses databases whose schema is not as the apps make it, before any table is read by its name.
enum SchemaTrust {
    /// Tables that are read by their names: a view under one of them could go on for ever.
    private static let namedTables: Set = [
        "users", "migrations", "chat_items", "files", "contacts", "contact_profiles", "groups",
        "group_profiles", "note_folders", "connections",
    ]
    /// The apps have some hundred objects, with some hundred kilobytes of statements.
    static let mostObjects: Int64 = 20_000
    static let mostBytes: Int64 = 16 << 20

    /// - Throws: ``ComparisonError``: `unsupported`; ``DatabaseError``.
    static func check(_ connection: borrowing Connection) throws {
        func refuse(_ why: String) -> ComparisonError {
            ComparisonError(
                .unsupported, "this is no database of the apps: \(why)", subject: connection.path.string)
        }
        let size = try connection.rows(
            """
            SELECT count(*), sum(coalesce(length(CAST(sql AS BLOB)), 0) + coalesce(length(CAST(name AS BLOB)), 0))
            FROM sqlite_master
            """)
        guard size[0][0].integer ?? 0 <= mostObjects, size[0][1].integer ?? 0 <= mostBytes else {
            throw refuse("its schema is far too large")
        }
        for table in try ListedTable.all(connection) where !table.isStored {
            if namedTables.contains(table.name.lowercased()) {
                throw refuse("\(table.name) is no table in it")
            }
        }
    }
}

/// A table or view as SQLite itself understood the schema. What the rows of `sqlite_master` call themselves may be forged.
struct ListedTable {
    let name: String
    let isView: Bool
    let isVirtual: Bool

    /// Whether its rows are in the file, and nothing is run to read them.
    var isStored: Bool { !isView && !isVirtual }

    /// All but SQLite's own, in the order of their names.
    /// - Throws: ``DatabaseError``; `unsupported` where SQLite is too old to tell.
    static func all(_ connection: borrowing Connection) throws -> [ListedTable] {
        let rows = try connection.rows("PRAGMA table_list").filter { $0[0].text == "main" }
        guard !rows.isEmpty else {
            throw ComparisonError(
                .unsupported, "the linked SQLCipher is too old to compare databases; 4.5.1 or newer does",
                subject: connection.path.string)
        }
        return rows.compactMap { row in
            guard let name = row[1].text, !name.lowercased().hasPrefix("sqlite_") else { return nil }
            return ListedTable(name: name, isView: row[2].text == "view", isVirtual: row[2].text == "virtual")
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
