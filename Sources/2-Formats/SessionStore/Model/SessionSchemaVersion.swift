/// Which version of its schema a store has, as its program counts.
package struct SessionSchemaVersion: Sendable, Hashable, Codable {
    /// Of Desktop: SQLite's own number.
    package var userVersion: Int64?
    /// Of Desktop: the largest number of its table `loki_schema`; nil where there is no such table.
    package var lokiSchema: Int64?
    /// Of iOS: how many migrations the database has seen.
    package var migrations: Int?
    /// Of iOS: the name of the last one; nil for none.
    package var lastMigration: String?

    package init(
        userVersion: Int64? = nil, lokiSchema: Int64? = nil, migrations: Int? = nil,
        lastMigration: String? = nil
    ) {
        (self.userVersion, self.lokiSchema) = (userVersion, lokiSchema)
        (self.migrations, self.lastMigration) = (migrations, lastMigration)
    }
}
