import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFailures

/// All names by which any row of either database may mean a file.
///
/// Only the last component of a path counts, whatever folder it names: archives flatten paths, accounts move from
/// device to device, and a file too many that stays does no harm.
struct ProtectedNames {
    private var names = FoldedNames()

    /// - Parameters:
    ///   - chat: both are checked table by table first, because a damaged one may hide rows.
    ///   - agent: the database of connections and transfers.
    /// - Throws: ``MediaEncryptionError``: `unsupported` where a table that should be there is missing, `damaged`;
    ///   ``DatabaseError``.
    init(chat: borrowing Connection, agent: borrowing Connection) throws {
        guard try MediaTable(chat) != nil else {
            throw Self.incomplete("the table of files is missing", chat.path.string)
        }
        try read("files", ["file_path"], chat)
        for (table, column) in [
            ("rcv_files", "save_path"), ("rcv_file_chunks", "tmp_path"), ("snd_files", "path"),
        ] {
            try readTransfers(table, column, agent)
        }
    }

    /// Whether a row may mean it: by its own name, or by that of a folder that it lies in.
    /// - Parameter path: relative to the folder that is looked through.
    func contains(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { names.contains(String(Substring($0))) }
    }

    // MARK: Rows

    private mutating func readTransfers(
        _ table: String, _ needed: String, _ agent: borrowing Connection
    ) throws {
        let columns = try agent.rows(
            "SELECT name FROM pragma_table_info(?) WHERE name LIKE '%path'", [.text(table)]
        ).compactMap(\.first?.text)
        guard columns.isEmpty || columns.contains(needed) else {
            throw Self.incomplete("the table \(table) does not tell its paths", agent.path.string)
        }
        guard !columns.isEmpty else {
            guard try Self.isOlderThanTransfers(table, agent) else {
                throw Self.incomplete("the table \(table) is missing", agent.path.string)
            }
            return
        }
        try read(table, columns, agent)
    }

    /// Databases from before files were sent through servers have no such tables; the list of migrations tells.
    private static func isOlderThanTransfers(_ table: String, _ agent: borrowing Connection) throws -> Bool {
        guard try agent.value("SELECT count(*) FROM sqlite_master WHERE name = 'migrations'") == 1 else {
            return false
        }
        let names =
            table.hasPrefix("rcv")
            ? ["m20230223_files", "0009_received_files"] : ["m20230401_snd_files", "0010_sent_files"]
        let found = try agent.value(
            "SELECT count(*) FROM migrations WHERE name IN (?, ?)", names.map { .text($0) })
        return found == 0
    }

    private mutating func read(
        _ table: String, _ columns: [String], _ connection: borrowing Connection
    ) throws {
        let answer = try connection.value("PRAGMA integrity_check('\(table)')")?.text ?? "no answer"
        guard answer == "ok" else {
            throw MediaEncryptionError(
                .damaged,
                "the table \(table) is damaged (\(answer)), so nobody knows which files it names; nothing was changed",
                subject: connection.path.string,
                remedy: .checkAccount(Remedy.Account(ofDatabase: connection.path)))
        }
        let list = columns.map { "CAST(\($0) AS TEXT)" }.joined(separator: ", ")
        let rows = try connection.prepare("SELECT \(list) FROM \(table)")
        while try rows.step() {
            for column in columns.indices { rows.value(column).text.map { protect($0) } }
        }
    }

    /// Also as Windows would read the path.
    private mutating func protect(_ path: String) {
        for separators in ["/", "/\\"] {
            let components = path.utf8.split { byte in separators.utf8.contains(byte) }
            let last = components.last { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
            if let last { _ = names.insert(String(Substring(last))) }
        }
    }

    private static func incomplete(_ what: String, _ path: String) -> MediaEncryptionError {
        MediaEncryptionError(
            .unsupported, "\(what), so nobody knows which files are needed; nothing was changed",
            subject: path)
    }
}
