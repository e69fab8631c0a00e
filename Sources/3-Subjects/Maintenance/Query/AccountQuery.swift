import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
package import ValiseDatabase
import ValiseFailures
package import ValiseSecrets

/// Queries an account with SQL, read-only.
package struct AccountQuery {
    private let options: AccountQueryOptions

    package init(_ options: AccountQueryOptions = AccountQueryOptions()) {
        self.options = options
    }

    /// Runs one statement and lends its rows one by one: memory does not grow with their number.
    ///
    /// - Parameters:
    ///   - sql: one statement. Anything but reading is refused before it runs.
    ///   - reader: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - columns: gets the names of the columns, once, before the first row.
    ///   - row: gets each row; throw to stop.
    ///   - progress: called while SQLite works; throw to stop, also in the middle of a long statement.
    /// - Throws: `DatabaseError`: `denied` for what does not only read, `failed` with SQLite's own message,
    ///   `wrongPassphrase`; `AccountError`; `FileError`; whatever the closures throw.
    package func run(
        _ sql: String, in reader: AccountReader, passphrase: borrowing SecretBytes,
        columns: ([String]) throws -> Void, row: ([Value]) throws -> Void,
        progress: ProgressHandler = { _ in }
    ) throws {
        let connection = try reader.connect(options.database, passphrase: passphrase, progress: progress)
        if options.attachesOther {
            for other in AccountDatabase.allCases where other != options.database {
                let source = try reader.source(
                    of: other, passphrase: passphrase.duplicate(), progress: progress)
                try connection.attachForReading(source, as: other.rawValue, passphrase: passphrase)
            }
        }
        var count: Int64 = 0
        try connection.supervised {
            try progress(OperationProgress("reading", completed: count, unit: .items))
        } _: {
            try connection.withReadingStatement(sql) { statement in
                let indices = 0..<statement.columnCount
                try columns(indices.map { statement.columnName($0) })
                while try statement.step() {
                    try row(indices.map { statement.value($0) })
                    count += 1
                }
            }
        }
    }
}
