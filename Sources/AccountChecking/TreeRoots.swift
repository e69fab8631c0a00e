import Database

/// Where the trees of tables and indexes begin, by SQLite's schema.
struct TreeRoots {
    /// The name of the table or index whose tree begins on a page.
    let names: [UInt32: String]

    static let schemaName = "the schema"

    init(_ connection: borrowing Connection) throws(DatabaseError) {
        var names: [UInt32: String] = [1: Self.schemaName]
        for row in try connection.rows(
            "SELECT rootpage, type, name FROM sqlite_master WHERE rootpage > 0 ORDER BY rootpage")
        {
            guard let root = row[0].integer.flatMap({ UInt32(exactly: $0) }), let type = row[1].text,
                let name = row[2].text
            else { continue }
            names[root] = "\(type) \(name)"
        }
        self.names = names
    }
}
