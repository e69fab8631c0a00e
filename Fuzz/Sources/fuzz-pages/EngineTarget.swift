import Fuzzing
import ValiseDatabase
import ValisePages
import ValiseSecrets

@testable import ValiseMaintenance

/// SQLite itself over our VFS. What it finds sound, our own reader must read as it does.
enum EngineTarget {
    private struct TimeIsUp: Error {}

    /// Of 20,000 steps of SQLite's machine each.
    private static let mostLooks = 50

    static func run(_ bytes: [UInt8]) {
        guard let empty = try? SecretBytes.empty(),
            let connection = try? Connection(MemorySource(bytes), passphrase: empty)
        else { return }
        var looks = 0
        let roots: [Root]?
        do {
            roots = try connection.supervised {
                looks += 1
                guard looks < mostLooks else { throw TimeIsUp() }
            } _: {
                try read(connection)
            }
        } catch {
            let isExpected = error is DatabaseError || error is TimeIsUp
            FuzzRun.require(isExpected, "errors are typed, not \(error)")
            return
        }
        if let roots { compare(roots, bytes) }
    }

    /// A table's tree, and how many rows SQLite counts in it.
    private struct Root {
        let page: UInt32
        let kind: TreeKind
        let count: Int64
        let name: String
    }

    /// Nil where SQLite finds a fault.
    private static func read(_ connection: borrowing Connection) throws -> [Root]? {
        guard try connection.value("PRAGMA integrity_check(1)") == .text("ok") else { return nil }
        let tables = try connection.rows(
            """
            SELECT s.name, s.rootpage, l.wr FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name
            WHERE s.type = 'table' AND l.type = 'table' AND l.schema = 'main' AND s.rootpage > 1
            """)
        return try tables.compactMap { row in
            guard let name = row[0].text, case .integer(let number) = row[1],
                let page = UInt32(exactly: number)
            else { return nil }
            let quoted = name.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            guard !quoted.utf8.contains(0),
                case .integer(let count) = try connection.value("SELECT count(*) FROM main.\"\(quoted)\"")
            else { return nil }
            return Root(
                page: page, kind: row[2] == .integer(1) ? .index : .table, count: count, name: name)
        }
    }

    private static func compare(_ roots: [Root], _ bytes: [UInt8]) {
        guard let header = DatabaseHeader(Array(bytes.prefix(DatabaseHeader.size))) else {
            return FuzzRun.require(roots.isEmpty, "a database that SQLite finds sound has a header")
        }
        let pages = SalvagePages(
            unencrypted: MemorySource(bytes), pageSize: header.pageSize, reserve: header.reserve)
        let claims = PageClaims(pageCount: pages.pageCount)
        for root in roots {
            let rows = RowCounter(header.encoding)
            _ = PlainTarget.sound {
                var walk = TreeWalk(pages, claims, root.kind, visitor: rows)
                try walk.run(from: root.page)
            }
            FuzzRun.require(
                rows.gaps == 0 && rows.count == root.count,
                "\(root.name) has \(rows.count) of \(root.count) rows, \(rows.gaps) gaps")
        }
    }
}
