public import ValiseAccounts
public import ValiseMigrations

/// Valise's own schema of both databases, embedded from `Migrations/`.
public enum AccountSchema {
    /// All migrations of one database, in order.
    public static func migrations(of database: AccountDatabase) -> [Migration] {
        switch database {
        case .chat: chat
        case .agent: agent
        }
    }

    /// The lists of both databases.
    /// - Throws: ``MigrationError`` when an embedded list is not sorted.
    public static func lists() throws -> [AccountDatabase: MigrationList] {
        var lists: [AccountDatabase: MigrationList] = [:]
        for database in AccountDatabase.allCases {
            lists[database] = try MigrationList(migrations(of: database))
        }
        return lists
    }

    static func migration(_ name: String, _ up: [UInt8], _ down: [UInt8]) -> Migration {
        Migration(
            name: name, up: String(decoding: up, as: UTF8.self), down: String(decoding: down, as: UTF8.self))
    }
}
