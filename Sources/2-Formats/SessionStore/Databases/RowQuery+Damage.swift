import ValiseDatabase

extension RowQuery {
    /// Goes through the rows, also those behind one that cannot be read.
    ///
    /// - Parameters:
    ///   - connection: the database.
    ///   - order: what follows the query.
    ///   - damaged: receives what is wrong with a row; throw to stop.
    ///   - body: receives each row; throw to stop.
    /// - Throws: `DatabaseError`; whatever the closures throw.
    func forEach(
        _ connection: borrowing Connection, _ order: String = "",
        damaged: (SessionStoreError) throws -> Void, _ body: (Row) throws -> Void
    ) throws {
        var rows = try rows(connection, order)
        while let row = try rows.nextResult() {
            switch row {
            case .success(let row): try body(row)
            case .failure(let error): try damaged(SessionStoreError(database: error))
            }
        }
    }
}
