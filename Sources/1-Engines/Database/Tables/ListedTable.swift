import SystemPackage
import ValiseFailures

/// A table or view as SQLite itself understood the schema. What the rows of the schema's own table call themselves may be
/// forged.
package struct ListedTable: Sendable, Equatable {
    package let name: String
    package let kind: Kind
    package let isWithoutRowID: Bool
    package let isStrict: Bool

    /// What SQLite takes it for.
    package enum Kind: String, Sendable {
        case table
        case view
        /// Its rows are somewhere else, and a module of SQLite's is asked for them.
        case virtual
        /// An ordinary table in which a virtual one keeps its rows.
        case shadow
    }

    /// Whether its rows are in the file, and nothing is run to read them.
    package var isStored: Bool { kind == .table || kind == .shadow }

    /// Whether it is one of SQLite's own.
    package var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}

extension Connection {
    /// What SQLite takes a name for; nil where it is no table or view.
    /// - Throws: ``DatabaseError``.
    package borrowing func listedTable(named name: String) throws(DatabaseError) -> ListedTable? {
        let rows = try prepare(
            "SELECT type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?")
        try rows.bind([.text(name)])
        guard try rows.step(), let kind = rows.value(0).text.flatMap(ListedTable.Kind.init) else {
            return nil
        }
        return ListedTable(
            name: name, kind: kind, isWithoutRowID: rows.value(1) != 0, isStrict: rows.value(2) != 0)
    }

    /// All tables and views, in the order of the bytes of their names.
    /// - Parameter purpose: what needs it, for the error, such as `to compare databases`.
    /// - Throws: ``DatabaseError``; `unsupported` where SQLite is too old to tell.
    package borrowing func listedTables(for purpose: String) throws(DatabaseError) -> [ListedTable] {
        // Schema, name, type, number of columns, without row ids, strict.
        let rows = try prepare("PRAGMA table_list")
        var tables: [ListedTable] = []
        while try rows.step() {
            guard rows.value(0) == "main" else { continue }
            guard let name = rows.value(1).text, let kind = rows.value(2).text,
                let kind = ListedTable.Kind(rawValue: kind)
            else { throw unanswered("the kind of a table") }
            tables.append(
                ListedTable(
                    name: name, kind: kind, isWithoutRowID: rows.value(4) != 0, isStrict: rows.value(5) != 0))
        }
        guard !tables.isEmpty else {
            throw DatabaseError(
                .unsupported, "the linked SQLCipher is too old \(purpose): 4.5.1 or newer is required",
                file: path.string)
        }
        return tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
