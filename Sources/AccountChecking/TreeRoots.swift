import Database
import PageCipher

/// Where the trees of tables and indexes begin, by SQLite's schema.
struct TreeRoots {
    /// The name of the table or index whose tree begins on a page.
    private(set) var names: [UInt32: String] = [1: schemaName]

    static let schemaName = "the schema"

    /// Asks SQLite.
    init(_ connection: borrowing Connection) throws(DatabaseError) {
        for row in try connection.rows("SELECT type, name, rootpage FROM sqlite_master") {
            guard let root = row[2].integer, let type = row[0].text, let name = row[1].text else { continue }
            add(root, type, name)
        }
    }

    /// Reads the schema's own tree as far as its pages hold: SQLite would end at the first that does not.
    init(_ file: EncryptedDatabaseFile, damaged: PageSet) throws {
        let reader = try TreeReader(file, damaged: damaged)
        var waiting: [UInt32] = [1]
        var visited: Set<UInt32> = []
        while let page = waiting.popLast() {
            guard visited.insert(page).inserted else { continue }
            let found = try reader.withSoundPage(page) { bytes in
                let tree = TreePage(bytes, number: page)
                return (tree?.children ?? [], tree?.records ?? [])
            }
            waiting += found?.0 ?? []
            for record in found?.1 ?? [] { add(record) }
        }
    }

    private mutating func add(_ record: TreeRecord) {
        guard record.columns.count >= 4, case .text(let type)? = record.columns[0],
            case .text(let name)? = record.columns[1], case .number(let root)? = record.columns[3]
        else { return }
        add(root, type, name)
    }

    private mutating func add(_ root: Int64, _ type: String, _ name: String) {
        guard root > 1, let root = UInt32(exactly: root) else { return }
        names[root] = "\(type) \(name)"
    }
}
