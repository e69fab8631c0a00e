public import ValiseDatabase

/// Writes the rows of a query as they come.
public protocol RowWriter: AnyObject {
    /// Gets the names of the columns, once and first.
    func begin(_ columns: [String]) throws
    func write(_ row: [Value]) throws
    /// After the last row. Not called where the query failed.
    func end() throws
}
