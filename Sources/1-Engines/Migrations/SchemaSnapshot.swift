import SystemPackage
package import ValiseDatabase
import ValiseFailures
import ValiseSecrets

/// The schema of a database as its master table tells it, bookkeeping left out, white space evened.
package struct SchemaSnapshot: Sendable, Equatable {
    /// Object names, such as `table users`, with their statements.
    package let objects: [String: String]

    /// - Throws: `DatabaseError`.
    package init(_ connection: borrowing Connection) throws(DatabaseError) {
        let rows = try connection.rows(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        var objects: [String: String] = [:]
        for row in rows {
            guard let type = row[0].text, let name = row[1].text, let sql = row[2].text else { continue }
            if MigrationTables.names.contains(name) { continue }
            objects["\(type) \(name)"] = Self.normalized(sql)
        }
        self.objects = objects
    }

    /// What a list of migrations gives on an empty database.
    /// - Throws: ``MigrationError`` when a script fails.
    package init(of migrations: [Migration]) throws {
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        let list = try MigrationList(migrations)
        _ = try Migrator(list).run(on: connection, confirmation: .yesUp, vacuum: false)
        try self.init(connection)
    }

    private static func normalized(_ sql: String) -> String {
        var text = ""
        for character in sql {
            if character.isWhitespace {
                if text.last != " " { text.append(" ") }
            } else {
                text.append(character)
            }
        }
        // ALTER TABLE rewrites the text of a statement and leaves other spaces around its punctuation.
        for (wide, narrow) in [(" ,", ","), ("( ", "("), (" )", ")"), (" ;", ";")] {
            text = text.split(separator: wide, omittingEmptySubsequences: false).joined(separator: narrow)
        }
        return text
    }
}
