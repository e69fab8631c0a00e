import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseSecrets

/// One of the two databases while the sample is written into it.
final class SampleDatabase {
    let connection: Connection
    private var rowsInTransaction = 0

    /// A transaction for each row would wait for the disk a million times; one for all would keep the pages of all in
    /// SQLite's cache, or write them twice.
    private static let rowsPerTransaction = 100_000

    init(_ path: FilePath, passphrase: borrowing SecretBytes) throws {
        connection = try Connection(path, mode: .readWrite, passphrase: passphrase)
        // The indexes over random identifiers are visited everywhere: 128 MiB hold them for a million items.
        try connection.execute("PRAGMA cache_size = -131072")
        // Nothing is ever rolled back: what was not finished is of no use.
        try connection.execute("PRAGMA journal_mode = OFF")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("BEGIN IMMEDIATE")
    }

    /// Adds one row to a table that gets few of them.
    /// - Parameter time: goes into `created_at` and `updated_at`; nil for tables that have none.
    func insert(_ table: String, at time: SampleTime?, _ row: KeyValuePairs<String, Value>) throws {
        var columns = row.map(\.key)
        var values = row.map(\.value)
        if let time {
            columns += ["created_at", "updated_at"]
            values += [.text(time.text), .text(time.text)]
        }
        try connection.run(RowInserter.sql(table, columns), values)
        try rowWasAdded()
    }

    /// Commits now and then; called after each row.
    func rowWasAdded() throws {
        rowsInTransaction += 1
        guard rowsInTransaction >= Self.rowsPerTransaction else { return }
        try connection.execute("COMMIT")
        try connection.execute("BEGIN IMMEDIATE")
        rowsInTransaction = 0
    }

    func finish() throws {
        try connection.execute("COMMIT")
    }
}

/// The prepared insert of a table that gets many rows.
final class RowInserter {
    private let statement: Statement
    private let database: SampleDatabase

    init(_ database: SampleDatabase, _ table: String, _ columns: [String]) throws {
        self.database = database
        statement = try database.connection.prepare(Self.sql(table, columns))
    }

    func add(_ values: [Value]) throws {
        try statement.run(values)
        try database.rowWasAdded()
    }

    static func sql(_ table: String, _ columns: [String]) -> String {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))"
    }
}

extension Value {
    static func number(_ number: Int) -> Value { .integer(Int64(number)) }
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }
    static func optional(_ bytes: [UInt8]?) -> Value { bytes.map { .blob($0) } ?? .null }
    static func time(_ time: SampleTime) -> Value { .text(time.text) }
}
