import SystemPackage
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures

/// Compares two open databases, table by table.
struct DatabaseJoin {
    let database: AccountDatabase
    let monitor: ProgressMonitor

    /// - Parameters:
    ///   - first: its schema was checked, and it is supervised, as SQLite may be long on its way to one row.
    ///   - second: likewise.
    ///   - messages: counts the messages of a chat database.
    ///   - evidence: sees the rows that differ.
    /// - Throws: ``ComparisonError``: `unsupported`; ``DatabaseError``; whatever the monitor throws.
    func run(
        _ first: borrowing Connection, _ second: borrowing Connection, messages: MessageTally,
        evidence: ProgressTally
    ) throws -> DatabaseComparison {
        guard try first.setting(.encoding) == second.setting(.encoding) else {
            return DatabaseComparison(
                database, .notCompared, reason: "one uses UTF-8 and the other UTF-16")
        }
        var result = DatabaseComparison(database, .compared)
        result.schema = try SchemaComparison(first, second)
        let (here, there) = (try TableOutline.all(first), try TableOutline.all(second))
        let others = Dictionary(there.map { ($0.name, $0) }) { table, _ in table }
        for table in here {
            guard let other = others[table.name] else {
                result.tablesOnlyInFirst.add(try lone(table, first))
                continue
            }
            let compared = try compare(table, other, first, second, messages, evidence)
            if !compared.isSame { result.differentTables += 1 }
            result.tables.add(compared)
        }
        let names = Set(here.map(\.name))
        for table in there where !names.contains(table.name) {
            result.tablesOnlyInSecond.add(try lone(table, second))
        }
        return result
    }

    private func compare(
        _ table: TableOutline, _ other: TableOutline, _ first: borrowing Connection,
        _ second: borrowing Connection, _ messages: MessageTally, _ evidence: ProgressTally
    ) throws -> TableComparison {
        monitor.activity = "comparing the table \(table.name) of the \(database.rawValue) database"
        try monitor.look()
        let isOfMessages = [table, other].allSatisfy {
            $0.name == MessageColumn.table.rawValue && $0.primaryKey == [MessageColumn.id.rawValue]
        }
        let tally = database == .chat && isOfMessages ? messages : nil
        return try TableJoin(
            table, other, of: database, messages: tally, evidence: evidence, checkpoint: monitor.look
        ).run(first, second)
    }

    private func lone(
        _ table: TableOutline, _ connection: borrowing Connection
    ) throws -> DatabaseComparison.LoneTable {
        guard !table.isVirtual else { return .init(name: table.name, rows: nil) }
        monitor.activity = "counting the rows of the table \(table.name)"
        return .init(name: table.name, rows: try connection.rowCount(of: table.name, canStop: true))
    }
}
