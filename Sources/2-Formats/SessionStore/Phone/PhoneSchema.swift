import ValiseDatabase

/// Which migrations the phone's database has seen. Each has a name; their number says whether a newer app made it.
///
/// A newer one is read with a warning as long as it has the columns that all versions have; without them it is refused.
package struct PhoneSchema: Sendable, Hashable {
    /// Their names, in the order in which they are stored; empty where there is no such table.
    package let migrations: [String]

    /// How many Session iOS 2.15.2 has.
    package static let known = 47
    /// More names are not read.
    private static let most = 10_000

    init(_ connection: borrowing Connection) throws {
        guard try connection.columnNames(of: "grdb_migrations").contains("identifier") else {
            migrations = []
            return
        }
        migrations = try connection.rows(
            "SELECT identifier FROM grdb_migrations ORDER BY rowid LIMIT \(Self.most)"
        ).compactMap { $0[0].text }
    }

    /// Whether an app wrote it that is newer than those that are known.
    package var isNewer: Bool { migrations.count > Self.known }

    /// What is unusual about the store.
    func warnings(_ tables: SessionTables) -> [SessionWarning] {
        var warnings: [SessionWarning] = []
        if isNewer {
            warnings.append(.newerSchema(found: Int64(migrations.count), known: Int64(Self.known)))
        }
        let missing = ["attachment", "profile", "contact", "configDump"].filter { !tables.has($0) }
        if !missing.isEmpty { warnings.append(.missingTables(missing)) }
        return warnings
    }
}
