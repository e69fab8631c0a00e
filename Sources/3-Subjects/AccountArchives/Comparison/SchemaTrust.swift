import SystemPackage
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures

/// Refuses databases whose schema is not as the apps make it, before any table is read by its name.
enum SchemaTrust {
    /// Tables that are read by their names: a view under one of them could go on for ever.
    private static let namedTables: Set<String> = {
        let tables: [ChatTable] = [
            .users, .chatItems, .files, .contacts, .contactProfiles, .groups, .groupProfiles, .noteFolders,
            .connections,
        ]
        return Set(tables.map(\.rawValue) + [MigrationTables.migrationTable])
    }()
    /// The apps have some hundred objects, with some hundred kilobytes of statements.
    static let mostObjects: Int64 = 20_000
    static let mostBytes: Int64 = 16 << 20

    /// - Throws: ``ComparisonError``: `unsupported`; ``DatabaseError``.
    static func check(_ connection: borrowing Connection) throws {
        func refuse(_ why: String) -> ComparisonError {
            ComparisonError(
                .unsupported, "not a database of the apps: \(why)", subject: connection.path.string)
        }
        let size = try connection.schemaSize()
        guard size.objects <= mostObjects, size.bytes <= mostBytes else {
            throw refuse("the schema is far too large")
        }
        for table in try connection.listedTables(for: "to compare databases") where !table.isStored {
            if namedTables.contains(table.name.lowercased()) {
                throw refuse("\(table.name) is not a table")
            }
        }
    }
}
