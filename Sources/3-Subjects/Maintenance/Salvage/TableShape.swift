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
        let listed = try connection.listedTable(named: table)
        isWithoutRowID = listed?.isWithoutRowID ?? false
        isStrict = listed?.isStrict ?? false
        let stored = try connection.columns(of: table).filter { $0.generation != .whenRead }
        let key = try connection.indexes(of: table).first(where: \.isPrimaryKey)
        let ordered = try Self.order(isWithoutRowID ? key?.name : nil, stored, connection)
        columns = ordered.map {
            Column(
                name: $0.name, type: $0.type.uppercased(), isNotNull: $0.isNotNull,
                isGenerated: $0.generation == .whenWritten)
        }
        let primary = ordered.indices.filter { ordered[$0].keyPosition > 0 }
        let isAlias =
            !isWithoutRowID && primary.count == 1 && key == nil && columns[primary[0]].type == "INTEGER"
        rowIDColumn = isAlias ? primary[0] : nil
        let names = Set(columns.map { $0.name.lowercased() })
        rowIDName = isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
        fewestColumns = isWithoutRowID ? max(1, primary.count) : 1
    }

    /// Tables without row ids store the columns of their key first.
    private static func order(
        _ key: String?, _ stored: [TableColumn], _ connection: borrowing Connection
    ) throws -> [TableColumn] {
        guard let key else { return stored }
        let names = try connection.indexColumns(of: key).compactMap(\.column)
        let order = names.compactMap { name in stored.firstIndex { $0.name == name } }
        return Set(order).count == stored.count ? order.map { stored[$0] } : stored
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
