import SystemPackage
import ValiseEncoding
import ValiseFailures

/// Runs migrations on one database with the semantics of the official programs (Documentation/formats/migrations.md).
///
/// Each migration is one transaction, its row written first. A failure leaves the ones before it applied:
/// callers that want all or nothing run it on a copy, as Valise does for an account.
package struct Migrator: Sendable {
    /// What the app knows and wants.
    package let list: MigrationList

    package init(_ list: MigrationList) {
        self.list = list
    }

    /// Called before each statement of a script with the migration's name and the statement's number.
    package typealias StatementHook = (String, Int) throws -> Void

    // MARK: Looking

    /// The database's `migrations` table, sorted by name; empty where there is none.
    /// - Throws: `DatabaseError`.
    package func applied(
        on connection: borrowing Connection
    ) throws(DatabaseError) -> [AppliedMigration] {
        try Self.applied(on: connection)
    }

    /// The same without a list: for telling what a database is.
    /// - Throws: `DatabaseError`.
    package static func applied(
        on connection: borrowing Connection
    ) throws(DatabaseError) -> [AppliedMigration] {
        let columns = try connection.columnNames(of: "migrations")
        guard !columns.isEmpty else { return [] }
        // Not sorted there: somebody else's table may be larger than memory and disk.
        let query = try RowQuery<AppliedMigration>(
            [RowSource("migrations", columns: Set(columns))], "FROM migrations", file: connection.path.string)
        var rows = try query.rows(connection)
        var applied: [AppliedMigration] = []
        var size = 0
        while let row = try rows.next() {
            size += row.size
            guard applied.count < mostRows, size <= mostBytes else {
                throw DatabaseError(
                    .unsupported,
                    "the migrations table has more than \(mostRows) rows or \(Count.bytes(Int64(mostBytes))), too "
                        + "many for any version of the app. The database is unchanged.",
                    file: connection.path.string
                )
            }
            applied.append(row)
        }
        return applied.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The names of applied migrations, sorted: enough to compare two databases, whoever made them. None where there is no
    /// such table.
    /// - Parameters:
    ///   - connection: to the database.
    ///   - limit: no more than this, so that nobody's table fills the memory.
    /// - Throws: `DatabaseError`.
    package static func names(
        on connection: borrowing Connection, atMost limit: Int
    ) throws(DatabaseError) -> [String] {
        guard try connection.columnNames(of: "migrations").contains("name") else { return [] }
        return try connection.rows(
            "SELECT substr(CAST(name AS TEXT), 1, 200) FROM migrations ORDER BY 1 LIMIT \(limit)"
        ).compactMap { $0[0].text }
    }

    /// The app has some 200 migrations, of a few kilobytes each.
    private static let mostRows = 10_000
    private static let mostBytes = 16 << 20

    /// What is to be done on this database.
    /// - Throws: `DatabaseError`.
    package func pending(on connection: borrowing Connection) throws(DatabaseError) -> PendingMigrations {
        PendingMigrations(list: list.wanted, applied: try applied(on: connection))
    }

    /// Writes the row of an applied migration anew, where a damaged database lost it.
    ///
    /// - Parameters:
    ///   - name: of the migration.
    ///   - rowID: nil where it is lost too.
    ///   - migration: nil where only the name is known; the row has no way back then.
    ///   - connection: to the database that is repaired.
    ///   - withChecksums: whether the database has our table of checksums.
    /// - Throws: `DatabaseError`.
    package static func restore(
        _ name: String, rowID: Int64?, of migration: Migration?, on connection: borrowing Connection,
        withChecksums: Bool
    ) throws(DatabaseError) {
        try MigrationTables.restore(name, rowID: rowID, migration, withChecksums, on: connection)
    }

    // MARK: Running

    /// Brings the database to the wanted schema as far as the confirmation allows.
    ///
    /// - Parameters:
    ///   - connection: open for writing.
    ///   - confirmation: what may happen.
    ///   - ask: for `console`: gets what is pending, and answers.
    ///   - vacuum: whether the file is compacted after an upgrade, as the official programs do.
    ///   - beforeStatement: sees each statement; throw to stop, which rolls the migration back.
    /// - Returns: ``MigrationResult/ok``, or what stands in the way.
    /// - Throws: ``MigrationError`` when a script fails (the cause tells), or when a way back would be text
    ///   out of the database that is not ours.
    package func run(
        on connection: borrowing Connection, confirmation: MigrationConfirmation,
        ask: (PendingMigrations) throws -> Bool = { _ in false }, vacuum: Bool = true,
        beforeStatement: StatementHook = { _, _ in }
    ) throws -> MigrationResult {
        let pending = try pending(on: connection)
        if let refusal = pending.refusal(confirmation, file: connection.path.string) {
            guard confirmation == .console, try ask(pending) else { return refusal }
            if case .impossible = pending { return refusal }
        }
        switch pending {
        case .none, .impossible: break
        case .up(let migrations):
            try upgrade(migrations, on: connection, beforeStatement)
            if vacuum { try connection.execute("VACUUM") }
        case .down(let applied):
            try downgrade(applied, on: connection, beforeStatement)
        }
        return .ok
    }

    private func upgrade(
        _ migrations: [Migration], on connection: borrowing Connection, _ hook: StatementHook
    ) throws {
        try MigrationTables.create(on: connection)
        for migration in migrations {
            try attempt(migration.name, "the migration failed and was rolled back") {
                try connection.transaction {
                    try MigrationTables.insert(migration, on: connection)
                    try connection.executeScript(migration.up) { try hook(migration.name, $0) }
                }
            }
        }
    }

    private func downgrade(
        _ applied: [AppliedMigration], on connection: borrowing Connection, _ hook: StatementHook
    ) throws {
        // All are checked before the first is run.
        let scripts = try applied.map { ($0.name, try trustedDown(of: $0)) }
        for (name, script) in scripts {
            try attempt(name, "the downgrade failed and was rolled back") {
                try connection.transaction {
                    try connection.executeScript(script) { try hook(name, $0) }
                    try MigrationTables.delete(name, on: connection)
                }
            }
        }
    }

    /// The script from the database is only compared. What is executed is our own text.
    private func trustedDown(of applied: AppliedMigration) throws(MigrationError) -> String {
        guard let ours = list.migration(named: applied.name) else {
            throw MigrationError(
                .newer,
                "the database is newer than this program. Its downgrade script is not ours and was not run.",
                migration: applied.name)
        }
        guard let down = ours.down, down == applied.down else {
            throw MigrationError(
                .unsupported, "the downgrade script in the database is not this program's and was not run",
                migration: applied.name)
        }
        return down
    }

    private func attempt(_ name: String, _ message: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as Interruption {
            throw error
        } catch {
            let code = (error as? any Failure)?.code ?? .failed
            throw MigrationError(code, message, migration: name, cause: error)
        }
    }
}
