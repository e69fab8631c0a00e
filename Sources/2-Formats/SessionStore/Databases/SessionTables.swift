import SystemPackage
import ValiseDatabase

/// The tables of a store with the columns that each has here: versions differ, and only what is there is asked for.
struct SessionTables: Sendable {
    let file: String
    /// By names.
    private let columns: [String: [TableColumn]]

    /// A schema larger than this is nobody's, in objects and in bytes.
    private static let limits = (objects: Int64(2000), bytes: Int64(4 << 20))

    /// - Throws: `DatabaseError`; ``SessionStoreError`` with `unsupported` for a schema of an absurd size.
    init(_ connection: borrowing Connection, reading names: [String]) throws {
        file = connection.path.string
        let size = try connection.schemaSize()
        guard size.objects <= Self.limits.objects, size.bytes <= Self.limits.bytes else {
            throw SessionStoreError(.unsupported, "the schema of the database is too large", file)
        }
        var columns: [String: [TableColumn]] = [:]
        for name in names where try connection.hasTable(name) {
            columns[name] = try connection.columns(of: name)
        }
        self.columns = columns
    }

    /// Whether there is such a table.
    func has(_ table: String) -> Bool { columns[table] != nil }

    /// Whether there is such a column.
    func has(_ column: String, in table: String) -> Bool {
        columns[table]?.contains { $0.name == column } ?? false
    }

    /// Those columns of a table in which its schema forbids NULL.
    func columnsWithoutNull(of table: String) -> [String] {
        columns[table]?.filter(\.isNotNull).map(\.name) ?? []
    }

    /// A table of a query.
    /// - Parameter outerKey: by which column it is joined from outside.
    func source(_ table: String, outerKey: String? = nil) -> RowSource {
        let found = columns[table] ?? []
        return RowSource(
            table, columns: Set(found.map(\.name)), notNull: Set(found.filter(\.isNotNull).map(\.name)),
            outerKey: outerKey)
    }

    /// Those of some columns that a table has, in SQL, joined: for an order that versions of the schema can differ in.
    func first(of names: [String], in table: String) -> String {
        let found = names.filter { has($0, in: table) }.map { "\(table).\($0.quoted)" }
        switch found.count {
        case 0: return "NULL"
        case 1: return found[0]
        default: return "COALESCE(\(found.joined(separator: ", ")))"
        }
    }

    /// Refuses a store without a table or column that all versions have.
    /// - Throws: ``SessionStoreError``: `newer` for a newer schema, else `unsupported`.
    func require(_ needed: [(table: String, columns: [String])], isNewer: Bool) throws {
        for (table, names) in needed {
            for name in names where !has(name, in: table) {
                throw SessionStoreError(
                    isNewer ? .newer : .unsupported,
                    "the database has no column \(name) of a table \(table), which all known versions have",
                    file
                )
            }
        }
    }
}
