/// How closely SQLite looks at a database.
package enum StructureCheckKind: String, Sendable {
    /// Indexes are compared with their tables.
    case full = "integrity_check"
    /// They are not.
    case quick = "quick_check"
}

extension Connection {
    /// What SQLite finds wrong in tables and indexes; nothing where they hold.
    /// - Parameters:
    ///   - kind: which check is made.
    ///   - limit: the most messages.
    /// - Throws: ``DatabaseError``.
    package borrowing func structureProblems(
        _ kind: StructureCheckKind, limit: Int
    ) throws(DatabaseError) -> [String] {
        try problems("PRAGMA \(kind.rawValue)(\(limit))")
    }

    /// The same of one table.
    /// - Throws: ``DatabaseError``.
    package borrowing func structureProblems(ofTable table: String) throws(DatabaseError) -> [String] {
        try problems("PRAGMA integrity_check(\(table.quoted))")
    }

    private borrowing func problems(_ sql: String) throws(DatabaseError) -> [String] {
        let answers = try rows(sql).compactMap { $0[0].text }
        guard !answers.isEmpty else { return ["no result"] }
        return answers.filter { $0 != "ok" }
    }

    /// Rows of a table that refer to rows of another one that are not there.
    package struct BrokenReferences: Sendable, Equatable {
        package let table: String
        package let parent: String
        package internal(set) var rows: Int64
    }

    /// All broken references, by tables, in the order of their names.
    /// - Throws: ``DatabaseError``.
    package borrowing func brokenReferences() throws(DatabaseError) -> [BrokenReferences] {
        // Counted here: a damaged table may have millions, which SQLite would sort first.
        var counts: [[String]: Int64] = [:]
        let rows = try prepare("SELECT \"table\", parent FROM pragma_foreign_key_check")
        while try rows.step() {
            guard let table = rows.value(0).text, let parent = rows.value(1).text else {
                throw unanswered("the tables of a reference")
            }
            counts[[table, parent], default: 0] += 1
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            BrokenReferences(table: $0.key[0], parent: $0.key[1], rows: $0.value)
        }
    }
}
