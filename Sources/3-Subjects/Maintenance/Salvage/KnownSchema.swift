import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFiles
import ValisePages
import ValiseSecrets

/// A schema that a damaged database may have had.
struct KnownSchema: Sendable {
    /// Where it comes from, for the report.
    let name: String
    let entries: [SchemaEntry]
    /// Whether its roots are those of the damaged database, as in a previous copy of it.
    let hasRoots: Bool
    /// The migrations that make it: their names in the damaged database speak for it.
    var migrations: [String] = []

    /// Whether nothing that was found contradicts it, and something confirms it. Where nothing was found at
    /// all, only a previous copy of the same database is believed.
    func agrees(with found: [SchemaEntry]) -> Bool {
        let own = Dictionary(entries.map { ($0.identity, $0.normalizedSQL) }) { first, _ in first }
        let mine = found.filter { !$0.isInternal }
        return mine.isEmpty
            ? hasRoots
            : mine.allSatisfy { entry in
                own[entry.identity].map { $0 == entry.normalizedSQL } ?? false
            }
    }

    /// Objects that have a tree, in the order of their roots: a database with auto-vacuum, or one that was just
    /// vacuumed, has them side by side in this order.
    var trees: [SchemaEntry] { entries.filter { $0.root > 1 }.sorted { $0.root < $1.root } }

    /// An empty database in memory.
    static func scratch() throws -> Connection {
        try Connection(":memory:", mode: .inMemory, passphrase: try SecretBytes.empty())
    }

    /// Valise's own schemas, the newest first.
    static func own(_ database: AccountDatabase) throws -> [KnownSchema] {
        if let known = made.withLock({ $0[database] }) { return known }
        let schemas = try make(database)
        made.withLock { $0[database] = schemas }
        return schemas
    }

    /// Made once by a program: that takes longer than the salvage of a small database.
    private static let made = Mutex<[AccountDatabase: [KnownSchema]]>([:])

    private static func make(_ database: AccountDatabase) throws -> [KnownSchema] {
        let migrations = database.lineage.migrations
        let connection = try scratch()
        var schemas: [KnownSchema] = []
        for count in 1...max(1, migrations.count) where count <= migrations.count {
            let list = try MigrationList(Array(migrations.prefix(count)))
            _ = try Migrator(list).run(on: connection, confirmation: .yesUp, vacuum: true)
            let name = "the Valise schema up to \(migrations[count - 1].name)"
            schemas.append(
                KnownSchema(
                    name: name, entries: try entries(connection), hasRoots: false,
                    migrations: migrations.prefix(count).map(\.name)))
        }
        return schemas.reversed()
    }

    /// The schema of another database, which is looked at page by page.
    static func other(
        _ path: FilePath, _ pages: SalvagePages, hasRoots: Bool
    ) throws -> KnownSchema? {
        let encoding = try pages.page(1).flatMap(DatabaseHeader.init)?.encoding ?? .utf8
        let collector = SchemaCollector(encoding)
        var walk = TreeWalk(pages, PageClaims(pageCount: pages.pageCount), .table, visitor: collector)
        try walk.run(from: 1)
        guard !collector.hasLosses, !collector.entries.isEmpty else { return nil }
        return KnownSchema(
            name: path.lastComponent?.string ?? path.string, entries: collector.entries, hasRoots: hasRoots)
    }

    private static func entries(_ connection: borrowing Connection) throws -> [SchemaEntry] {
        try connection.schemaObjects().compactMap { object in
            func text(_ text: String?) -> RecordValue { text.map { .text(Array($0.utf8)) } ?? .null }
            return SchemaEntry([
                text(object.type), text(object.name), text(object.table),
                object.root.map(RecordValue.integer) ?? .null, text(object.sql),
            ])
        }
    }
}
