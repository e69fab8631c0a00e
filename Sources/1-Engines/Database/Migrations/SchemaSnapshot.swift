import SystemPackage
import ValiseCryptography
import ValiseEncoding
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

    /// SHA-256 of all of it, in hexadecimal.
    package var digest: String {
        var lines = objects.map { "\($0.key)\n\($0.value)\n" }
        lines.sort()
        return Hexadecimal.encode(SHA256.hash(Array(lines.joined().utf8)))
    }

    /// A space for each run of white space; none where `ALTER TABLE`, which rewrites the text of a statement, leaves other
    /// ones: around punctuation.
    private static func normalized(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count)
        for byte in sql.utf8 {
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0D:
                if text.last != UInt8(ascii: " "), text.last != UInt8(ascii: "(") {
                    text.append(UInt8(ascii: " "))
                }
            case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: ";"):
                if text.last == UInt8(ascii: " ") { text.removeLast() }
                text.append(byte)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
