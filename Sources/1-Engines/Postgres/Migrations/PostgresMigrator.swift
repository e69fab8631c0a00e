package import ValiseDatabase
import ValiseFailures

/// Runs numbered migrations in a schema of a server.
///
/// Each is one transaction together with its row in the table of migrations, which has the checksums of both scripts. Programs
/// that run them at the same time wait for each other.
package struct PostgresMigrator: Sendable {
    /// What the program knows and wants.
    package let list: MigrationList
    /// How long one script may take.
    package var scriptTimeout = Duration.seconds(600)
    /// How long it waits for another program that migrates.
    package var lockPatience = Duration.seconds(600)

    package init(_ list: MigrationList) { self.list = list }

    /// What a schema has, and what it lacks.
    package struct Status: Sendable, Equatable {
        /// Names of applied migrations, in order; those of a newer program are last.
        package let applied: [String]
        /// Names of wanted ones that are not applied.
        package let pending: [String]
    }

    // MARK: Looking

    /// What was run in the schema of the connection.
    /// - Throws: ``PostgresError``; `MigrationError` as ``upgrade(on:)``.
    package func status(on connection: PostgresConnection) throws -> Status {
        let applied = try PostgresMigrationTable.applied(on: connection)
        try check(applied)
        return Status(
            applied: applied.map(\.name), pending: list.wanted.dropFirst(applied.count).map(\.name))
    }

    /// Whether the history of the schema is the beginning of ours.
    /// - Throws: `MigrationError`: `newer` where a newer program migrated it, `damaged` where a script differs from the one that
    ///   was run, `unsupported` where the history is another one.
    private func check(_ applied: [PostgresMigrationTable.Applied]) throws(MigrationError) {
        for (index, row) in applied.enumerated() {
            guard index < list.known.count else {
                throw MigrationError(
                    .newer, "the database was migrated by a newer program. It is unchanged.",
                    migration: row.name)
            }
            let ours = list.known[index]
            guard row.name == ours.name else {
                throw MigrationError(
                    .unsupported, "the database has other migrations than this program. It is unchanged.",
                    migration: row.name)
            }
            guard row.upChecksum == ours.upChecksum, row.downChecksum == ours.downChecksum else {
                throw MigrationError(
                    .damaged,
                    "the script of this migration differs from the one that was run. The database is unchanged.",
                    migration: row.name)
            }
        }
    }

    // MARK: Running

    /// Brings the schema of the connection up to what is wanted. The schema is created if it does not exist.
    ///
    /// - Parameter connection: in no transaction.
    /// - Returns: the names of the migrations that were run.
    /// - Throws: ``PostgresError``; `MigrationError`: `newer`, `damaged` or `unsupported` where the history is not ours, or with
    ///   the cause where a script fails, which is rolled back; those before it stay.
    @discardableResult
    package func upgrade(on connection: PostgresConnection) throws -> [String] {
        try alone(on: connection) {
            try PostgresMigrationTable.create(on: connection)
            let applied = try PostgresMigrationTable.applied(on: connection)
            try check(applied)
            let pending = list.wanted.dropFirst(applied.count)
            for migration in pending {
                try attempt(migration.name, "the migration failed and was rolled back", on: connection) {
                    try $0.runScript(migration.up, within: scriptTimeout)
                    try $0.run([PostgresMigrationTable.insertion(of: migration)])
                }
            }
            return pending.map(\.name)
        }
    }

    /// Brings the schema of the connection back to an older state, by the program's own scripts.
    ///
    /// - Parameters:
    ///   - target: the last migration that stays; nil for none.
    ///   - connection: in no transaction.
    /// - Returns: the names of the migrations that were undone, in this order.
    /// - Throws: ``PostgresError``; `MigrationError`: as ``upgrade(on:)``, `notFound` for an unknown target, `unsupported` where
    ///   one has no way back, before anything is changed.
    @discardableResult
    package func downgrade(to target: String?, on connection: PostgresConnection) throws -> [String] {
        let known = try MigrationList(list.known, upTo: target)
        let kept = target == nil ? 0 : known.wanted.count
        return try alone(on: connection) {
            let applied = try PostgresMigrationTable.applied(on: connection)
            try check(applied)
            guard applied.count > kept else { return [] }
            let undone = list.known[kept..<applied.count].reversed()
            let scripts = try undone.map { migration throws(MigrationError) in
                guard let down = migration.down else {
                    throw MigrationError(
                        .unsupported, "the migration has no way back. The database is unchanged.",
                        migration: migration.name)
                }
                return (name: migration.name, down: down)
            }
            for script in scripts {
                try attempt(script.name, "the downgrade failed and was rolled back", on: connection) {
                    try $0.runScript(script.down, within: scriptTimeout)
                    try $0.run([PostgresMigrationTable.deletion(of: script.name)])
                }
            }
            return scripts.map(\.name)
        }
    }

    private func alone<Result>(
        on connection: PostgresConnection, _ body: () throws -> Result
    ) throws -> Result {
        let lock = PostgresLock("migrations of \(connection.settings.schema)")
        return try connection.holding(lock, within: lockPatience, body)
    }

    private func attempt(
        _ name: String, _ message: String, on connection: PostgresConnection,
        _ body: (PostgresTransaction) throws -> Void
    ) throws {
        do {
            try connection.transaction { transaction in
                // The server's own limit is that of short statements.
                try PostgresMigrationTable.allow(scriptTimeout, in: transaction)
                try body(transaction)
            }
        } catch {
            let code = (error as? any Failure)?.code ?? .failed
            throw MigrationError(code, message, migration: name, cause: error)
        }
    }
}
