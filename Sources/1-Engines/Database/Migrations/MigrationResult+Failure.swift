import ValiseFailures

extension MigrationResult {
    /// The official result for a failure of SQLite; nil for any other failure.
    ///
    /// - Parameters:
    ///   - error: what opening or migrating threw.
    ///   - name: gets the database file that the error speaks of, and gives the one to report: a migration
    ///     may have run on a copy.
    package init?(_ error: any Error, reporting name: (String) -> String = { $0 }) {
        let cause = (error as? MigrationError)?.cause ?? error
        guard let failure = cause as? DatabaseError else { return nil }
        if failure.isNotADatabase {
            self = .errorNotADatabase(dbFile: name(failure.file))
        } else {
            self = .errorSQL(dbFile: name(failure.file), migrationSQLError: failure.message)
        }
    }
}
