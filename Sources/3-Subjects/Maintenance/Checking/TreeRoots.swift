import ValiseDatabase
import ValisePages

/// Where the trees of tables and indexes begin, by SQLite's schema.
struct TreeRoots {
    /// The name of the table or index whose tree begins on a page.
    private(set) var names: [UInt32: String] = [1: schemaName]

    static let schemaName = "the schema"

    /// Asks SQLite.
    init(_ connection: borrowing Connection) throws(DatabaseError) {
        for object in try connection.schemaObjects() {
            guard let root = object.root, let type = object.type, let name = object.name else { continue }
            add(root, type, name)
        }
    }

    /// Reads the schema's own tree as far as its pages hold: SQLite would end at the first that does not.
    init(_ pages: SoundPages) throws {
        var waiting: [UInt32] = [1]
        var visited: Set<UInt32> = []
        while let number = waiting.popLast() {
            guard visited.insert(number).inserted, let bytes = try pages.page(number),
                let page = TreePage(number, bytes), page.kind == .table
            else { continue }
            waiting += page.children
            // What comes first in a row lies in its cell, however long the statement at its end is.
            for cell in page.cells { if let local = cell.payload?.local { add(Record(local)) } }
        }
    }

    private mutating func add(_ record: Record?) {
        guard let values = record?.values, values.count >= 4, let type = values[0].string,
            let name = values[1].string, let root = values[3].integer
        else { return }
        add(root, type, name)
    }

    private mutating func add(_ root: Int64, _ type: String, _ name: String) {
        guard root > 1, let root = UInt32(exactly: root) else { return }
        names[root] = "\(type) \(name)"
    }
}
