/// A column of a table, as SQLite understood the schema.
package struct TableColumn: Sendable, Equatable {
    package let name: String
    /// As it is declared; empty for none.
    package let type: String
    package let isNotNull: Bool
    /// Its place in the declared primary key, from 1; 0 where it is not part of it.
    package let keyPosition: Int64
    package let generation: Generation

    /// How its values come about.
    package enum Generation: Int64, Sendable {
        /// They are stored as they are written.
        case none = 0
        /// It belongs to a virtual table, and is hidden.
        case hidden = 1
        /// Computed when it is read, and stored nowhere.
        case whenRead = 2
        /// Computed when a row is written, and stored.
        case whenWritten = 3
    }
}

/// An index of a table.
package struct TableIndex: Sendable, Equatable {
    package let name: String
    /// Whether the declaration of the primary key made it.
    package let isPrimaryKey: Bool
    /// Whether it holds only rows that meet a condition.
    package let isPartial: Bool
}

/// A column of an index.
package struct IndexColumn: Sendable, Equatable {
    /// Of the table's column; nil for an expression, and for the row id.
    package let column: String?
    package let isDescending: Bool
    package let collation: String
    /// Whether it is one of those that the index is sorted by, and not only carried.
    package let isKey: Bool
}

extension Connection {
    /// The columns of a table in their order, those too that are computed; none where there is no such table.
    /// - Throws: ``DatabaseError``.
    package borrowing func columns(of table: String) throws(DatabaseError) -> [TableColumn] {
        let rows = try prepare(
            "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
        try rows.bind([.text(table)])
        var columns: [TableColumn] = []
        while try rows.step() {
            guard case .text(let name) = rows.value(0), case .text(let type) = rows.value(1),
                case .integer(let isNotNull) = rows.value(2), case .integer(let key) = rows.value(3),
                case .integer(let hidden) = rows.value(4),
                let generation = TableColumn.Generation(rawValue: hidden)
            else { throw unanswered("the columns of \(table)") }
            columns.append(
                TableColumn(
                    name: name, type: type, isNotNull: isNotNull != 0, keyPosition: key,
                    generation: generation))
        }
        return columns
    }

    /// The indexes of a table.
    /// - Throws: ``DatabaseError``.
    package borrowing func indexes(of table: String) throws(DatabaseError) -> [TableIndex] {
        let rows = try prepare("SELECT name, origin, partial FROM pragma_index_list(?)")
        try rows.bind([.text(table)])
        var indexes: [TableIndex] = []
        while try rows.step() {
            guard case .text(let name) = rows.value(0) else { throw unanswered("the indexes of \(table)") }
            indexes.append(
                TableIndex(name: name, isPrimaryKey: rows.value(1) == "pk", isPartial: rows.value(2) != 0))
        }
        return indexes
    }

    /// The columns of an index in their order, those too that it only carries.
    /// - Throws: ``DatabaseError``.
    package borrowing func indexColumns(of index: String) throws(DatabaseError) -> [IndexColumn] {
        let rows = try prepare(
            "SELECT name, \"desc\", coll, \"key\" FROM pragma_index_xinfo(?) ORDER BY seqno")
        try rows.bind([.text(index)])
        var columns: [IndexColumn] = []
        while try rows.step() {
            guard case .text(let collation) = rows.value(2) else {
                throw unanswered("the columns of \(index)")
            }
            columns.append(
                IndexColumn(
                    column: rows.value(0).text, isDescending: rows.value(1) == 1, collation: collation,
                    isKey: rows.value(3) == 1))
        }
        return columns
    }
}
