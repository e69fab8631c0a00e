import ValiseCryptography
import ValiseDatabase

/// How the schemas of two databases differ.
public struct SchemaComparison: Sendable, Equatable, Codable {
    /// `PRAGMA user_version` of each side.
    public let firstUserVersion: Int64
    public let secondUserVersion: Int64
    /// The newest migration of each side; nil where there is none.
    public let firstMigration: String?
    public let secondMigration: String?
    /// Names of migrations.
    public let migrationsOnlyInFirst: BoundedList<String>
    public let migrationsOnlyInSecond: BoundedList<String>
    /// Indexes, views and triggers, such as `index idx_files`.
    public let objectsOnlyInFirst: BoundedList<String>
    public let objectsOnlyInSecond: BoundedList<String>
    /// Those that are made by another statement, and such tables.
    public let objectsDifferent: BoundedList<String>

    /// - Throws: ``DatabaseError``.
    init(_ first: borrowing Connection, _ second: borrowing Connection) throws {
        firstUserVersion = try first.value("PRAGMA user_version")?.integer ?? 0
        secondUserVersion = try second.value("PRAGMA user_version")?.integer ?? 0
        let (here, there) = (try Self.migrations(first), try Self.migrations(second))
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

    /// By their names, which begin with a date or a number.
    private static func migrations(_ connection: borrowing Connection) throws -> [String] {
        let hasNames = "SELECT count(*) FROM pragma_table_info('migrations') WHERE name = 'name'"
        guard try connection.value(hasNames) == 1 else { return [] }
        return try connection.rows(
            "SELECT substr(CAST(name AS TEXT), 1, 200) FROM migrations ORDER BY 1 LIMIT \(mostMigrations)"
        ).compactMap { $0[0].text }
    }

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
        let rows = try connection.prepare(
            """
            SELECT substr(type, 1, 20), substr(name, 1, 1000), sql FROM sqlite_master
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT \(SchemaTrust.mostObjects)
            """)
        while try rows.step() {
            var digest = SHA256()
            rows.withBytes(2) { digest.update($0) }
            objects["\(rows.value(0).text ?? "") \(rows.value(1).text ?? "")"] = digest.finalize()
        }
        return objects
    }

    /// Whether nothing differs.
    public var isSame: Bool {
        firstUserVersion == secondUserVersion && migrationsOnlyInFirst.isEmpty
            && migrationsOnlyInSecond.isEmpty && objectsOnlyInFirst.isEmpty && objectsOnlyInSecond.isEmpty
            && objectsDifferent.isEmpty
    }
}
