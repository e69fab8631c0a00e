import ValiseDatabase
import ValiseFailures

/// The table in which a schema keeps what was run.
enum PostgresMigrationTable {
    /// A row of it.
    struct Applied {
        let name: String
        let upChecksum: String
        let downChecksum: String?
    }

    /// No program has as many.
    private static let mostRows = 10_000

    /// Creates the schema and the table, if they do not exist.
    /// - Throws: ``PostgresError``
    static func create(on connection: PostgresConnection) throws(PostgresError) {
        let schema = connection.settings.schema
        // Whoever may not create schemas may have been given this one.
        let found = try connection.run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)])
        if found.isEmpty { try connection.run("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"") }
        guard try !exists(on: connection) else { return }
        try connection.run(
            """
            CREATE TABLE migrations (
                name text COLLATE "C" PRIMARY KEY,
                applied_at timestamptz NOT NULL DEFAULT now(),
                up_sha256 text NOT NULL,
                down_sha256 text
            )
            """)
    }

    private static func exists(on connection: PostgresConnection) throws(PostgresError) -> Bool {
        try !connection.run(
            """
            SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = $1 AND relname = 'migrations' AND relkind = 'r'
            """, [.text(connection.settings.schema)]
        ).isEmpty
    }

    /// What was run, in the order of names; nothing where there is no table.
    /// - Throws: ``PostgresError``
    static func applied(on connection: PostgresConnection) throws(PostgresError) -> [Applied] {
        guard try exists(on: connection) else { return [] }
        let rows = try connection.run(
            "SELECT name, up_sha256, down_sha256 FROM migrations ORDER BY name LIMIT $1",
            [.integer(Int64(mostRows))])
        var applied: [Applied] = []
        for row in rows {
            applied.append(
                Applied(
                    name: try row.text(0), upChecksum: try row.text(1), downChecksum: try row.textIfAny(2)))
        }
        return applied
    }

    static func insertion(of migration: Migration) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO migrations (name, up_sha256, down_sha256) VALUES ($1, $2, $3)",
            [.text(migration.name), .text(migration.upChecksum), .text(migration.downChecksum)])
    }

    static func deletion(of name: String) -> PostgresStatement {
        PostgresStatement("DELETE FROM migrations WHERE name = $1", [.text(name)])
    }

    /// Lets the statements of a transaction take longer than the settings of the connection do.
    /// - Throws: ``PostgresError``
    static func allow(
        _ duration: Duration, in transaction: PostgresTransaction
    ) throws(PostgresError) {
        try transaction.run(
            "SELECT set_config('statement_timeout', $1, true)",
            [.text(PostgresSession.milliseconds(duration))])
    }
}
