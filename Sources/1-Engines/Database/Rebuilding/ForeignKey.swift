/// A foreign key of a table.
package struct ForeignKey: Sendable, Hashable {
    package let table: String
    /// The table that it refers to.
    package let parent: String
    /// Its number among those of the table.
    package let number: Int64
}

extension Connection {
    /// Foreign keys of a table with rows that refer to nothing, and how many those are.
    /// - Throws: ``DatabaseError``, also where the table that is referred to is lost, or its key is: SQLite cannot say then.
    package borrowing func brokenKeys(of table: String) throws(DatabaseError) -> [ForeignKey: Int64] {
        let rows = try prepare(
            "SELECT parent, fkid, count(*) FROM pragma_foreign_key_check(?) GROUP BY 1, 2")
        try rows.bind([.text(table)])
        var found: [ForeignKey: Int64] = [:]
        while try rows.step() {
            guard case .text(let parent) = rows.value(0), case .integer(let number) = rows.value(1),
                case .integer(let count) = rows.value(2)
            else { continue }
            found[ForeignKey(table: table, parent: parent, number: number)] = count
        }
        return found
    }

    /// Whether foreign keys are held from now on; only outside a transaction.
    /// - Throws: ``DatabaseError``.
    package borrowing func holdForeignKeys(_ areHeld: Bool) throws(DatabaseError) {
        try execute("PRAGMA foreign_keys = \(areHeld ? "ON" : "OFF")")
    }

    /// How many rows this connection has changed so far.
    /// - Throws: ``DatabaseError``.
    package borrowing func totalChanges() throws(DatabaseError) -> Int64 {
        try count("SELECT total_changes()")
    }

    /// How rows that refer to nothing are dealt with.
    package enum ReferenceRepair: Sendable {
        /// The reference becomes NULL.
        case forget
        /// The row goes.
        case remove
    }

    /// What the schema says should become of rows when what they refer to goes.
    /// - Throws: ``DatabaseError``.
    package borrowing func repair(of key: ForeignKey) throws(DatabaseError) -> ReferenceRepair {
        try parts(of: key).first?.onDelete == "SET NULL" ? .forget : .remove
    }

    /// Deals with the rows that refer to nothing.
    /// - Throws: ``DatabaseError``, also where a constraint, or a schema with lost parts, does not allow it.
    package borrowing func repair(_ key: ForeignKey, by repair: ReferenceRepair) throws(DatabaseError) {
        let parts = try parts(of: key)
        guard !parts.isEmpty else { return }
        let table = key.table.quoted
        let isSet = parts.map { "\(table).\($0.from.quoted) IS NOT NULL" }.joined(separator: " AND ")
        let isSame = parts.map { "p.\($0.to.quoted) = \(table).\($0.from.quoted)" }.joined(separator: " AND ")
        let condition =
            "\(isSet) AND NOT EXISTS (SELECT 1 FROM \(key.parent.quoted) AS p WHERE \(isSame))"
        switch repair {
        case .forget:
            let nulls = parts.map { "\($0.from.quoted) = NULL" }.joined(separator: ", ")
            try run("UPDATE \(table) SET \(nulls) WHERE \(condition)")
        case .remove: try run("DELETE FROM \(table) WHERE \(condition)")
        }
    }

    private borrowing func parts(
        of key: ForeignKey
    ) throws(DatabaseError) -> [(from: String, to: String, onDelete: String?)] {
        let rows = try prepare(
            "SELECT \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq")
        try rows.bind([.text(key.table), .integer(key.number)])
        var parts: [(from: String, to: String, onDelete: String?)] = []
        while try rows.step() {
            guard case .text(let from) = rows.value(0) else {
                throw unanswered("a foreign key of \(key.table)")
            }
            var to = rows.value(1).text
            if to == nil { to = try primaryKey(of: key.parent, parts.count) }
            if let to { parts.append((from, to, rows.value(2).text)) }
        }
        return parts
    }

    /// A reference without columns means the key of the parent.
    private borrowing func primaryKey(of parent: String, _ index: Int) throws(DatabaseError) -> String {
        let key = try columns(of: parent).filter { $0.keyPosition > 0 }.sorted {
            $0.keyPosition < $1.keyPosition
        }
        return index < key.count ? key[index].name : "rowid"
    }
}
