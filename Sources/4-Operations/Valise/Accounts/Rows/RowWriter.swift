public import ValiseDatabase

/// Writes the rows of a query as they come.
public protocol RowWriter: AnyObject {
    /// Receives the column names, once, before any row.
    func begin(_ columns: [String]) throws
    /// Takes the values of one row, in the order of the columns.
    func write(_ row: [Value]) throws
    /// Called after the last row, unless the query failed.
    func end() throws
}
