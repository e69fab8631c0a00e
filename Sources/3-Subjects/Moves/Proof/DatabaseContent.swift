import ValiseDatabase

/// What of a database is digested before its rows: the version and the schema; and the tables that it has.
struct DatabaseContent: Sendable {
    let tables: [StoredTable]
    private let version: Int64
    /// SHA-256 of the schema's statements.
    private let schema: [UInt8]

    private static let title = "valise database content 1"

    /// - Throws: ``DatabaseError``.
    init(_ connection: borrowing Connection) throws {
        version = try connection.number(.userVersion)
        let digest = RunningDigest()
        try connection.forEachSchemaRow { digest.encoder.append($0, columns: $0.columnCount) }
        schema = digest.finalize()
        tables = try StoredTable.all(connection)
    }

    /// The digest of a table's rows, and how many there are.
    struct Rows: Sendable {
        let count: Int64
        let digest: [UInt8]
    }

    /// Between two looks whether to stop.
    private static let rowsBetweenLooks: Int64 = 1024

    /// Reads all rows of a table.
    ///
    /// - Parameter checkpoint: gets the bytes digested since the last call; throw to stop.
    /// - Throws: ``DatabaseError``; whatever the checkpoint throws.
    static func rows(
        of table: StoredTable, _ connection: borrowing Connection, checkpoint: (Int64) throws -> Void
    ) throws -> Rows {
        let digest = RunningDigest()
        let statement = try table.rows(connection)
        let columns = statement.columnCount
        var count: Int64 = 0
        var told: Int64 = 0
        while try statement.step() {
            digest.encoder.append(statement, columns: columns)
            count += 1
            if count % Self.rowsBetweenLooks == 0 {
                try checkpoint(digest.encoder.count - told)
                told = digest.encoder.count
            }
        }
        let result = Rows(count: count, digest: digest.finalize())
        try checkpoint(digest.encoder.count - told)
        return result
    }

    /// The digest of the whole.
    /// - Parameter rows: of all ``tables``.
    func digest(_ rows: [Rows]) -> [UInt8] {
        let digest = RunningDigest()
        digest.encoder.append(Self.title)
        digest.encoder.append(version)
        digest.encoder.append(schema)
        digest.encoder.append(Int64(tables.count))
        for (table, rows) in zip(tables, rows) {
            digest.encoder.append(table.name)
            digest.encoder.append(Int64(table.columns.count))
            for column in table.columns { digest.encoder.append(column) }
            digest.encoder.append(rows.count)
            digest.encoder.append(rows.digest)
        }
        return digest.finalize()
    }
}
