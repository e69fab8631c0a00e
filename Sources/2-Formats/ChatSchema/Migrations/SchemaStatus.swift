package import ValiseDatabase

/// Whose schema a database has, by the names of its migrations.
package enum SchemaOrigin: String, Sendable, Codable {
    /// Made by Valise.
    case valise
    /// Made by the official programs. It is reported and never migrated by us.
    case official
    /// No migrations at all.
    case none
    /// Migrations of the account's other database: this one stands under a wrong name.
    case otherDatabase
    /// Migrations that no list has.
    case unknown

    /// Whether it is a schema of this database, by whomever.
    package var isKnown: Bool { self == .valise || self == .official }
}

/// The schema and migration state of one database.
package struct SchemaStatus: Sendable, Equatable, Codable {
    package let origin: SchemaOrigin
    /// How many migrations were applied.
    package let applied: Int
    /// The name of the last one.
    package let newest: String?
    /// Names that the database has and this program does not know. Not empty: a newer program made it.
    package let unknown: [String]
    /// Of our own schema: what an upgrade would run.
    package let pending: [String]
    /// Of our own schema: where the database is not what its migrations say; nil where nothing is compared.
    package let drift: DriftReport?

    /// Whether a newer program than this one made it.
    package var isNewer: Bool { origin.isKnown && !unknown.isEmpty }
}

extension SchemaStatus {
    /// Reads the state from applied migrations.
    package init(_ applied: [AppliedMigration], of lineage: SchemaLineage, drift: DriftReport? = nil) {
        let names = applied.map(\.name)
        let own = lineage.migrations.map(\.name)
        let official = lineage.officialNames
        let origin: SchemaOrigin
        if names.isEmpty {
            origin = .none
        } else if names[0] == own.first {
            origin = .valise
        } else if official.contains(names[0]) {
            origin = .official
        } else if SchemaLineage.all.contains(where: { $0.begins(with: names[0]) }) {
            origin = .otherDatabase
        } else {
            origin = .unknown
        }
        let known = Set(origin == .valise ? own : official)
        self.init(
            origin: origin, applied: names.count, newest: names.last,
            unknown: origin == .none ? [] : names.filter { !known.contains($0) },
            pending: origin == .valise ? own.filter { !names.contains($0) } : [], drift: drift)
    }

    /// Reads the state, and compares the live schema where it is ours.
    /// - Throws: `DatabaseError`.
    package init(_ connection: borrowing Connection, of lineage: SchemaLineage) throws {
        let applied = try Migrator.applied(on: connection)
        let own = lineage.migrations
        let isOwn = !applied.isEmpty && applied[0].name == own.first?.name
        let drift =
            isOwn ? try Migrator(MigrationList(own)).drift(on: connection, newest: lineage.newestDigest) : nil
        self.init(applied, of: lineage, drift: drift)
    }
}
