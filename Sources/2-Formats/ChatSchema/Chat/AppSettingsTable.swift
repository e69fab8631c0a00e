package import ValiseDatabase

/// What an app keeps of its settings: one row of JSON in the table `app_settings`.
package struct AppSettingsTable: Sendable {
    private static let name = ChatTable.appSettings.rawValue

    /// - Returns: nil where the schema is older than the table.
    /// - Throws: `DatabaseError`.
    package init?(_ connection: borrowing Connection) throws(DatabaseError) {
        guard try connection.hasTable(Self.name) else { return nil }
    }

    /// What is stored; nil where nothing was saved. Whoever wrote it decides what kind of value it is.
    /// - Throws: `DatabaseError`.
    package func stored(_ connection: borrowing Connection) throws(DatabaseError) -> Value? {
        try connection.value("SELECT app_settings FROM app_settings LIMIT 1")
    }

    /// Whether somebody made a trigger for it. No app does; whoever made it decides what a change of the settings does.
    /// - Throws: `DatabaseError`.
    package func hasTrigger(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
        try connection.hasTrigger(on: Self.name)
    }

    /// Replaces what is stored, in one transaction.
    /// - Throws: `DatabaseError`.
    package func put(_ json: String, _ connection: borrowing Connection) throws {
        try connection.transaction {
            let isThere = try connection.hasRow("SELECT 1 FROM app_settings LIMIT 1")
            try connection.run(
                isThere
                    ? "UPDATE app_settings SET app_settings = ?"
                    : "INSERT INTO app_settings (app_settings) VALUES (?)",
                [.text(json)])
        }
    }
}
