import ValiseCryptography
import ValiseDatabase

/// How the schemas of two databases differ.
package struct SchemaComparison: Sendable, Equatable, Codable {
    /// `PRAGMA user_version` of each side.
    package let firstUserVersion: Int64
    package let secondUserVersion: Int64
    /// The newest migration of each side; nil where there is none.
    package let firstMigration: String?
    package let secondMigration: String?
    /// Names of migrations.
    package let migrationsOnlyInFirst: BoundedList<String>
    package let migrationsOnlyInSecond: BoundedList<String>
    /// Indexes, views and triggers, such as `index idx_files`.
    package let objectsOnlyInFirst: BoundedList<String>
    package let objectsOnlyInSecond: BoundedList<String>
    /// Those that are made by another statement, and such tables.
    package let objectsDifferent: BoundedList<String>

    /// - Throws: ``DatabaseError``.
    init(_ first: borrowing Connection, _ second: borrowing Connection) throws {
        firstUserVersion = try first.number(.userVersion)
        secondUserVersion = try second.number(.userVersion)
        let (here, there) = (
            try Migrator.names(on: first, atMost: Self.mostMigrations),
            try Migrator.names(on: second, atMost: Self.mostMigrations)
        )
        (firstMigration, secondMigration) = (here.last, there.last)
        (migrationsOnlyInFirst, migrationsOnlyInSecond) = (
            BoundedList(Self.missing(here, in: there)), BoundedList(Self.missing(there, in: here))
        )
        let (mine, others) = (try Self.objects(first), try Self.objects(second))
        objectsOnlyInFirst = BoundedList(Self.lone(mine, others))
        objectsOnlyInSecond = BoundedList(Self.lone(others, mine))
        objectsDifferent = BoundedList(
            mine.filter { others[$0.key].map { [digest = $0.value] in $0 != digest } ?? false }.keys.sorted())
    }

    /// More than any program has by far, so that nobody's table fills the memory.
    private static let mostMigrations = 10_000

    private static func missing(_ names: [String], in others: [String]) -> [String] {
        let others = Set(others)
        return names.filter { !others.contains($0) }
    }

    /// Tables of one side are counted where tables are.
    private static func lone(_ objects: Objects, _ others: Objects) -> [String] {
        objects.keys.filter { others[$0] == nil && !$0.hasPrefix("table ") }.sorted()
    }

    /// The digests of statements, which may be long, by kinds and names.
    private typealias Objects = [String: [UInt8]]

    private static func objects(_ connection: borrowing Connection) throws -> Objects {
        var objects: Objects = [:]
        try unsafe connection.forEachSchemaStatement(atMost: SchemaTrust.mostObjects) { name, statement in
            var digest = SHA256()
            unsafe digest.update(statement)
            objects[name] = digest.finalize()
        }
        return objects
    }

    /// Whether nothing differs.
    package var isSame: Bool {
        firstUserVersion == secondUserVersion && migrationsOnlyInFirst.isEmpty
            && migrationsOnlyInSecond.isEmpty && objectsOnlyInFirst.isEmpty && objectsOnlyInSecond.isEmpty
            && objectsDifferent.isEmpty
    }
}
