import ValiseDatabase

/// Which version of its schema a Desktop database has. There are two lines: SQLite's `user_version`, which ended with the program's
/// origin, and a table `loki_schema`, whose largest number counts.
///
/// A newer one is read with a warning as long as it has the columns that all versions have: reading asks for nothing else that is
/// not there, and changes nothing. Without them it is refused.
package struct DesktopSchema: Sendable, Hashable {
    /// SQLite's own number; 11 since the first version that is known.
    package let userVersion: Int64
    /// Nil where there is no such table.
    package let version: Int64?

    /// The newest that are known: Session Desktop 1.17.17.
    package static let known = (userVersion: Int64(11), version: Int64(54))

    private static let versionTable = "loki_schema"
    /// What is read or known, of any version.
    static let tables = [
        "conversations", "messages", "items", "configDump", "seenMessages", "lastHashes",
        "openGroupRoomsV2", "attachment_downloads", "encryptionKeyPairsForClosedGroupV2", "guardNodes",
        "nodesForPubkey", versionTable, "identityKeys", "unprocessed",
    ]

    init(_ connection: borrowing Connection) throws {
        userVersion = try connection.number(.userVersion)
        version =
            try connection.hasTable(Self.versionTable)
            && connection.columnNames(of: Self.versionTable).contains("version")
            ? try connection.value("SELECT max(version) FROM loki_schema")?.integer : nil
    }

    /// Whether a program wrote it that is newer than those that are known.
    package var isNewer: Bool {
        userVersion > Self.known.userVersion || version.map { $0 > Self.known.version } ?? false
    }

    /// What is unusual about the store.
    func warnings(_ connection: borrowing Connection, _ tables: SessionTables) throws -> [SessionWarning] {
        var warnings: [SessionWarning] = []
        if let version, version > Self.known.version {
            warnings.append(.newerSchema(found: version, known: Self.known.version))
        } else if isNewer {
            warnings.append(.newerSchema(found: userVersion, known: Self.known.userVersion))
        }
        let unknown = try connection.tableNames().filter { name in
            !Self.tables.contains(name) && !name.hasPrefix("messages_fts") && !name.hasPrefix("sqlite_")
        }
        if !unknown.isEmpty { warnings.append(.unknownTables(unknown.sorted())) }
        let missing = ["items", "configDump", "seenMessages"].filter { !tables.has($0) }
        if !missing.isEmpty { warnings.append(.missingTables(missing)) }
        return warnings
    }
}
