import ValiseCryptography
import ValiseEncoding

/// One step of a schema, with the step back.
package struct Migration: Sendable, Equatable {
    /// Names are unique, and the list is in their order.
    package let name: String
    /// One or several statements, run in one transaction.
    package let up: String
    /// Undoes `up`; nil where there is no way back.
    package let down: String?

    package init(name: String, up: String, down: String?) {
        self.name = name
        self.up = up
        self.down = down
    }

    /// SHA-256 of the script, in hexadecimal.
    package var upChecksum: String { Self.checksum(up) }

    /// SHA-256 of the way back, in hexadecimal; nil where there is none.
    package var downChecksum: String? { down.map(Self.checksum) }

    private static func checksum(_ script: String) -> String {
        Hexadecimal.encode(SHA256.hash(Array(script.utf8)))
    }
}

/// A row of a database's `migrations` table.
package struct AppliedMigration: Sendable, Equatable {
    package let name: String
    /// When it was applied, in UTC: `YYYY-MM-DD HH:MM:SS` with an optional fraction.
    package let timestamp: String
    /// The way back as the database keeps it. It is text out of a file: never executed unless it is ours.
    package let down: String?
}

extension AppliedMigration: DecodableRow {
    /// Databases older than the down scripts lack their column.
    package init(_ row: inout RowReader) throws(DatabaseError) {
        name = try row.required("name")
        timestamp = try row.required("ts")
        down = try row.stored("down").value
    }

    /// In bytes.
    var size: Int { name.utf8.count + timestamp.utf8.count + (down?.utf8.count ?? 0) }
}
