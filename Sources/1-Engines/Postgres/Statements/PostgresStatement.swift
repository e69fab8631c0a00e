/// A statement with its values.
package struct PostgresStatement: Sendable {
    /// One statement, whose values are `$1`, `$2` and so on. Never text from outside.
    package let sql: String
    package let parameters: [PostgresParameter]

    package init(_ sql: String, _ parameters: [PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// What runs statements: a connection, or a transaction on one.
package protocol PostgresRunning {
    /// Runs statements in their order, in one round trip. The first that fails ends the batch.
    ///
    /// - Parameters:
    ///   - batch: any number of statements.
    ///   - limit: how long all of them may take; nil for the time of the settings.
    /// - Returns: what each has answered.
    /// - Throws: ``PostgresError``
    func run(
        _ batch: [PostgresStatement], within limit: Duration?
    ) throws(PostgresError) -> [PostgresRows]
}

extension PostgresRunning {
    /// Runs statements in their order, in one round trip. The first that fails ends the batch.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func run(_ batch: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        try run(batch, within: nil)
    }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: one statement, never text from outside.
    ///   - parameters: its values.
    ///   - limit: how long it may take; nil for the time of the settings.
    /// - Throws: ``PostgresError``
    @discardableResult
    package func run(
        _ sql: String, _ parameters: [PostgresParameter] = [], within limit: Duration? = nil
    ) throws(PostgresError) -> PostgresRows {
        let rows = try run([PostgresStatement(sql, parameters)], within: limit)
        return rows[0]
    }
}
