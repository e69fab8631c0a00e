import SystemPackage
package import ValiseDatabase

/// A table of the agent database whose rows name files of transfers.
package enum TransferTable: Sendable, CaseIterable {
    case received
    case receivedChunks
    case sent

    /// The table.
    package var table: AgentTable {
        switch self {
        case .received: .receivedFiles
        case .receivedChunks: .receivedChunks
        case .sent: .sentFiles
        }
    }

    /// The column of paths that every version of the table has.
    var path: String {
        switch self {
        case .received: "save_path"
        case .receivedChunks: "tmp_path"
        case .sent: "path"
        }
    }

    /// The migrations that make the table, the official one and ours.
    package var migrations: [String] {
        self == .sent
            ? ["m20230401_snd_files", "0010_sent_files"] : ["m20230223_files", "0009_received_files"]
    }
}

extension AgentSchema {
    /// Whether the table tells its paths; nil where the schema has no such table.
    package func recordsPaths(_ table: TransferTable) -> Bool? {
        tables[table.table].map { $0.contains(table.path) }
    }

    /// All columns of the table that hold paths, by their names.
    private func pathColumns(_ table: TransferTable) -> [String] {
        guard let columns = tables[table.table] else { return [] }
        return columns.filter { $0.lowercased().hasSuffix("path") }.sorted()
    }

    /// All paths in any column of the table.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package func forEachPath(
        _ table: TransferTable, _ connection: borrowing Connection, _ body: (String) throws -> Void
    ) throws {
        try connection.forEachText(in: pathColumns(table), of: table.table.rawValue, body)
    }

    /// The paths of files that the agent is still to send; none where the schema is older than that.
    /// - Throws: `DatabaseError`.
    package func pathsToSend(_ connection: borrowing Connection) throws(DatabaseError) -> [String] {
        guard tables[.sentFiles] != nil else { return [] }
        let query = try RowQuery<PathRow>(
            [tables.source(.sentFiles, as: "s")], "FROM snd_files s", file: connection.path.string)
        return try query.all(connection, "WHERE s.status NOT IN ('complete', 'error') AND s.deleted = 0")
            .map(\.path)
    }
}

/// The path of a file that is sent.
private struct PathRow: DecodableRow {
    let path: String

    init(_ row: inout RowReader) throws(DatabaseError) {
        let _: Int64 = try row.required("snd_file_id")
        path = try row.required("path")
    }
}

extension ChatSchema {
    /// All paths of the table `files`.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package func forEachFilePath(
        _ connection: borrowing Connection, _ body: (String) throws -> Void
    ) throws {
        try connection.forEachText(in: ["file_path"], of: ChatTable.files.rawValue, body)
    }
}

extension Connection {
    /// What columns of a table hold that is not NULL, as text.
    fileprivate borrowing func forEachText(
        in columns: [String], of table: String, _ body: (String) throws -> Void
    ) throws {
        let list = columns.map { "CAST(\($0.quoted) AS TEXT)" }.joined(separator: ", ")
        let rows = try prepare("SELECT \(list) FROM \(table)")
        while try rows.step() {
            for column in columns.indices {
                if let text = rows.value(column).text { try body(text) }
            }
        }
    }
}
