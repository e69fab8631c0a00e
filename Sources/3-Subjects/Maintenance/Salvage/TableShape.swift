import ValiseDatabase
import ValisePages

/// What the rows of a table look like in its tree.
struct TableShape {
    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        /// Computed when it is read or written: it cannot be set.
        let isGenerated: Bool
    }

    let table: String
    /// In the order in which records store them.
    let columns: [Column]
    /// The column that stands for the row id, which records store as NULL.
    let rowIDColumn: Int?
    let isWithoutRowID: Bool
    let isStrict: Bool
    /// How the row id is called where no column stands for it; nil where it cannot be named.
    let rowIDName: String?
    /// Records have at least the columns of the key.
    private let fewestColumns: Int

    var kind: TreeKind { isWithoutRowID ? .index : .table }

    /// - Throws: ``DatabaseError`` when there is no such table.
    init(_ table: String, _ connection: borrowing Connection) throws {
        self.table = table
        let list = try connection.rows(
            "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(table)])
        isWithoutRowID = list.first?[0] == .integer(1)
        isStrict = list.first?[1] == .integer(1)
        let rows = try connection.rows(
            "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid",
            [.text(table)])
        let keys = try connection.rows(
            "SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(table)])
        // 2: computed when read, and in no record; 3: computed when written, and stored.
        let stored = rows.filter { $0[4] != .integer(2) }
        let order = try Self.order(isWithoutRowID ? keys.first?.first?.text : nil, stored, connection)
        columns = order.map { index in
            let row = stored[index]
            return Column(
                name: row[0].text ?? "", type: (row[1].text ?? "").uppercased(),
                isNotNull: row[2] == .integer(1), isGenerated: row[4] == .integer(3))
        }
        let primary = order.filter { stored[$0][3] != .integer(0) }
        let isAlias =
            !isWithoutRowID && primary.count == 1 && keys.isEmpty
            && stored[primary[0]][1].text?.uppercased() == "INTEGER"
        rowIDColumn = isAlias ? primary[0] : nil
        let names = Set(columns.map { $0.name.lowercased() })
        rowIDName = isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
        fewestColumns = isWithoutRowID ? max(1, primary.count) : 1
    }

    /// Tables without row ids store the columns of their key first.
    private static func order(
        _ key: String?, _ stored: [[Value]], _ connection: borrowing Connection
    ) throws -> [Int] {
        guard let key else { return Array(stored.indices) }
        let names = try connection.rows(
            "SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno", [.text(key)]
        ).compactMap { $0[0].text }
        let order = names.compactMap { name in stored.firstIndex { $0[0].text == name } }
        return Set(order).count == stored.count ? order : Array(stored.indices)
    }

    /// Whether values can be a row of this table.
    func fits(_ values: [RecordValue]) -> Bool {
        guard values.count >= fewestColumns, values.count <= columns.count else { return false }
        return zip(values, columns).enumerated().allSatisfy { index, pair in
            if index == rowIDColumn {
                if case .integer = pair.0 { return true }
                return pair.0 == .null
            }
            return fits(pair.0, pair.1)
        }
    }

    private func fits(_ value: RecordValue, _ column: Column) -> Bool {
        switch value {
        case .null: return !column.isNotNull
        case .integer, .real:
            // A number in a column of text is stored as text.
            let isText = ["CHAR", "CLOB", "TEXT"].contains { column.type.contains($0) }
            guard isStrict else { return column.type.contains("INT") || !isText }
            if case .real = value { return ["REAL", "ANY"].contains(column.type) }
            return ["INT", "INTEGER", "REAL", "ANY"].contains(column.type)
        case .text: return !isStrict || ["TEXT", "ANY"].contains(column.type)
        case .blob: return !isStrict || ["BLOB", "ANY"].contains(column.type)
        }
    }
}
