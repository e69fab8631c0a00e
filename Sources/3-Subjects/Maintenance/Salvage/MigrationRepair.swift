import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding
import ValisePages

/// Writes lost rows of the `migrations` table anew. Without them every program would think that its schema is
/// an older one, and refuse the database or run migrations a second time.
///
/// Which rows there were is known from the index on their names, and because migrations are applied in their
/// order: what comes before one that is there was there too.
struct MigrationRepair {
    private let salvage: DatabaseSalvage
    private var target: SalvageTarget { salvage.target }

    init(_ salvage: DatabaseSalvage) { self.salvage = salvage }

    func run() throws {
        guard let table = salvage.tables.first(where: { $0.name == MigrationTables.migrationTable }),
            isDamaged(table),
            MigrationTables.columns.isSubset(of: table.shape.columns.map(\.name))
        else { return }
        let present = try names()
        let remembered = try rememberedNames()
        let own = salvage.database.lineage.migrations
        let known = present.union(remembered.keys)
        let lists = [own.map(\.name), salvage.database.lineage.officialNames]
        let list = lists.first { !known.isEmpty && known.isSubset(of: $0) } ?? []
        let applied = list.lastIndex(where: known.contains).map { list.prefix($0 + 1) } ?? []
        let lost = (applied + remembered.keys.sorted().filter { !applied.contains($0) })
            .filter { !present.contains($0) }
        for name in lost {
            try write(name, rowID: remembered[name], own.first { $0.name == name })
            table.report.rowsWrittenAnew += 1
            table.report.rows += 1
        }
        // The list is whole now; what was on the lost page is known.
        if !list.isEmpty { table.gaps = [] }
        guard !lost.isEmpty else { return }
        let lack = list == lists[0] ? "" : ", without their downgrade scripts"
        salvage.report.notes.append("rewrote \(Count.text(lost.count, "lost migration row"))\(lack)")
    }

    private func isDamaged(_ table: SalvagedTable) -> Bool {
        !table.gaps.isEmpty || table.report.cutRows > 0 || table.entry.root == 0
    }

    private func names() throws -> Set<String> {
        Set(try Migrator.names(on: target.connection, atMost: NameCollector.mostNames))
    }

    /// The names that the table's indexes still have, with the ids of their rows.
    private func rememberedNames() throws -> [String: Int64] {
        let collector = NameCollector(salvage.encoding)
        for index in salvage.schema.entries
        where index.kind == .index && index.table == MigrationTables.migrationTable && index.root > 0 {
            var walk = TreeWalk(
                salvage.pages, PageClaims(pageCount: salvage.pages.pageCount), .index, visitor: collector)
            try walk.run(from: index.root)
        }
        return collector.names
    }

    private func write(_ name: String, rowID: Int64?, _ migration: Migration?) throws {
        try Migrator.restore(
            name, rowID: rowID, of: migration, on: target.connection,
            withChecksums: salvage.tables.contains { $0.name == MigrationTables.checksumTable })
    }
}

/// Takes the first value of each entry where it is text.
private final class NameCollector: TreeVisitor {
    private let encoding: DatabaseHeader.TextEncoding
    private(set) var names: [String: Int64] = [:]

    static let mostNames = 10_000

    init(_ encoding: DatabaseHeader.TextEncoding) { self.encoding = encoding }

    func accepts(_ page: TreePage) -> Bool { true }

    func visit(_ row: TreeRow) {
        guard names.count < Self.mostNames, let values = Record(row.payload, encoding: encoding)?.values,
            let name = values.first?.string, let rowID = values.last?.integer
        else { return }
        names[name] = rowID
    }

    func miss(_ gap: TreeGap) {}
}
