import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseChatSchema
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
            throw Self.incomplete("the files table is missing", chat.path.string)
        }
        try refuseDamage(ChatTable.files.rawValue, chat)
        try ChatSchema(chat).forEachFilePath(chat) { protect($0) }
        let schema = try AgentSchema(agent)
        for table in TransferTable.allCases { try read(table, schema, agent) }
    }

    /// Whether a row may mean it: by its own name, or by that of a folder that it lies in.
    /// - Parameter path: relative to the folder that is looked through.
    func contains(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { names.contains(String(Substring($0))) }
    }

    // MARK: Rows

    private mutating func read(
        _ table: TransferTable, _ schema: AgentSchema, _ agent: borrowing Connection
    ) throws {
        let name = table.table.rawValue
        switch schema.recordsPaths(table) {
        case true?:
            try refuseDamage(name, agent)
            try schema.forEachPath(table, agent) { protect($0) }
        case false?: throw Self.incomplete("the table \(name) has no paths", agent.path.string)
        case nil:
            guard try Self.isOlder(than: table, agent) else {
                throw Self.incomplete("the table \(name) is missing", agent.path.string)
            }
        }
    }

    /// Databases from before files were sent through servers have no such tables; the list of migrations tells.
    private static func isOlder(than table: TransferTable, _ agent: borrowing Connection) throws -> Bool {
        guard try agent.hasTable(MigrationTables.migrationTable) else { return false }
        return try !Migrator.applied(on: agent).contains { table.migrations.contains($0.name) }
    }

    private func refuseDamage(_ table: String, _ connection: borrowing Connection) throws {
        guard let problem = try connection.structureProblems(ofTable: table).first else { return }
        throw MediaEncryptionError(
            .damaged,
            "the table \(table) is damaged (\(problem)), so the files it refers to are unknown. Nothing was changed.",
            subject: connection.path.string,
            remedy: .checkAccount(Remedy.Account(ofDatabase: connection.path)))
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
            .unsupported, "\(what), so the files in use are unknown. Nothing was changed.",
            subject: path)
    }
}
