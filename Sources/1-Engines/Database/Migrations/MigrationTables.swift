import SystemPackage
import ValiseFailures

/// The bookkeeping inside a database: the official `migrations` table, and beside it one of our own with
/// the checksums of what was run. Official programs ignore tables that they don't know.
package enum MigrationTables {
    /// The official table.
    package static let migrationTable = "migrations"
    /// Our own.
    package static let checksumTable = "migration_checksums"
    /// The columns of the official table in all but the oldest databases, which lack the way back.
    package static let columns: Set = ["name", "ts", "down"]

    static let names: Set = [migrationTable, checksumTable]

    static func create(on connection: borrowing Connection) throws(DatabaseError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS migrations (
                name TEXT NOT NULL PRIMARY KEY,
                ts TEXT NOT NULL,
                down TEXT
            ) STRICT;
            CREATE TABLE IF NOT EXISTS migration_checksums (
                name TEXT NOT NULL PRIMARY KEY,
                up_sha256 TEXT NOT NULL,
                down_sha256 TEXT
            ) STRICT
            """)
    }

    static func insert(_ migration: Migration, on connection: borrowing Connection) throws(DatabaseError) {
        try connection.run(
            "INSERT INTO migrations (name, ts, down) VALUES (?, strftime('%Y-%m-%d %H:%M:%f', 'now'), ?)",
            [.text(migration.name), migration.down.map(Value.text) ?? .null])
        try connection.run(
            "INSERT OR REPLACE INTO migration_checksums (name, up_sha256, down_sha256) VALUES (?, ?, ?)",
            [
                .text(migration.name), .text(migration.upChecksum),
                migration.downChecksum.map(Value.text) ?? .null,
            ])
    }

    static func restore(
        _ name: String, rowID: Int64?, _ migration: Migration?, _ withChecksums: Bool,
        on connection: borrowing Connection
    ) throws(DatabaseError) {
        try connection.run(
            """
            INSERT INTO migrations (rowid, name, ts, down)
            VALUES (?, ?, strftime('%Y-%m-%d %H:%M:%f', 'now'), ?)
            """,
            [
                rowID.map(Value.integer) ?? .null, .text(name),
                migration?.down.map(Value.text) ?? .null,
            ])
        guard let migration, withChecksums else { return }
        try connection.run(
            "INSERT OR IGNORE INTO migration_checksums (name, up_sha256, down_sha256) VALUES (?, ?, ?)",
            [
                .text(name), .text(migration.upChecksum),
                migration.downChecksum.map(Value.text) ?? .null,
            ])
    }

    static func delete(_ name: String, on connection: borrowing Connection) throws(DatabaseError) {
        try connection.run("DELETE FROM migrations WHERE name = ?", [.text(name)])
        try connection.run("DELETE FROM migration_checksums WHERE name = ?", [.text(name)])
    }

    static func checksums(
        on connection: borrowing Connection
    ) throws(DatabaseError) -> [String: (up: String, down: String?)] {
        guard try connection.hasTable("migration_checksums") else { return [:] }
        var checksums: [String: (up: String, down: String?)] = [:]
        for row in try connection.rows("SELECT name, up_sha256, down_sha256 FROM migration_checksums") {
            guard let name = row[0].text, let up = row[1].text else {
                throw DatabaseError(
                    .damaged, "a row of table migration_checksums has no name or checksum",
                    file: connection.path.string)
            }
            checksums[name] = (up, row[2].text)
        }
        return checksums
    }
}
