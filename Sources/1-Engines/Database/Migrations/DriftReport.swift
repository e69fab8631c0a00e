/// Where a database is not what its migrations say.
package struct DriftReport: Sendable, Equatable, Codable {
    /// Migrations whose scripts are not those that were run here.
    package var changedScripts: [String] = []
    /// Migrations whose way back in the database is not ours.
    package var foreignDowns: [String] = []
    /// Objects that the migrations give and the database lacks, such as `index idx_chat_items_ts`.
    package var missingObjects: [String] = []
    /// Objects that no migration gives.
    package var unknownObjects: [String] = []
    /// Objects with another statement.
    package var changedObjects: [String] = []

    /// Whether nothing was found.
    package var isClean: Bool {
        [changedScripts, foreignDowns, missingObjects, unknownObjects, changedObjects].allSatisfy(\.isEmpty)
    }

    package init() {}
}

extension Migrator {
    /// Compares the scripts that were run with ours, and the live schema with what our scripts give.
    ///
    /// - Parameter newest: the ``SchemaSnapshot/digest`` of the schema that all of ours give. Where the database has it,
    ///   nothing need be run to know that, which otherwise takes most of the time.
    /// - Returns: nil when the database holds a migration that is not in the list: nothing can be said then.
    /// - Throws: `DatabaseError`; ``MigrationError`` when our own scripts fail.
    package func drift(on connection: borrowing Connection, newest: String? = nil) throws -> DriftReport? {
        let applied = try applied(on: connection)
        var migrations: [Migration] = []
        for row in applied {
            guard let migration = list.migration(named: row.name) else { return nil }
            migrations.append(migration)
        }
        var report = DriftReport()
        let checksums = try MigrationTables.checksums(on: connection)
        for (row, migration) in zip(applied, migrations) {
            if row.down != migration.down { report.foreignDowns.append(row.name) }
            guard let run = checksums[row.name] else { continue }
            if run.up != migration.upChecksum || run.down != migration.downChecksum {
                report.changedScripts.append(row.name)
            }
        }
        let live = try SchemaSnapshot(connection)
        if migrations == list.known, live.digest == newest { return report }
        let (expected, found) = (try ExpectedSchemas.snapshot(migrations).objects, live.objects)
        report.missingObjects = expected.keys.filter { found[$0] == nil }.sorted()
        report.unknownObjects = found.keys.filter { expected[$0] == nil }.sorted()
        report.changedObjects = expected.keys.filter { found[$0] != nil && found[$0] != expected[$0] }
            .sorted()
        return report
    }
}
