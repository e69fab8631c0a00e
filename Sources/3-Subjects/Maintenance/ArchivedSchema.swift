package import ValiseAccounts
package import ValiseChatSchema
package import ValiseSecrets

/// What would happen to the databases of an archive or account when a program opens them.
public struct ArchivedSchema: Sendable, Equatable, Codable {
    /// The result in one word.
    public enum State: String, Sendable, Codable {
        /// The newest that this program knows.
        case current
        /// It has to be migrated first: by Valise, or by its official program.
        case upgradeNeeded
        /// Created by a newer program than any known here.
        case newerThanKnown
        /// It has no migrations, or those of an unknown program.
        case unknown
    }

    /// One database.
    package struct Part: Sendable, Equatable, Codable {
        package let database: AccountDatabase
        package let state: State
        package let schema: SchemaStatus
    }

    /// Chat first.
    package let databases: [Part]

    /// Reads it where it lies.
    /// - Parameters:
    ///   - reader: of the archive or account.
    ///   - passphrase: of both databases; empty for none.
    /// - Throws: `AccountMediaError`; `DatabaseError`; `ZipError`; `FileError`.
    package init(_ reader: AccountReader, passphrase: borrowing SecretBytes) throws {
        var parts: [Part] = []
        for database in AccountDatabase.allCases {
            let schema = try reader.schema(of: database, passphrase: passphrase)
            parts.append(Part(database: database, state: State(schema, of: database), schema: schema))
        }
        databases = parts
    }

    /// The worst of both.
    public var state: State { State.worst(of: databases.map(\.state)) }
}

extension ArchivedSchema.State {
    /// What counts for an account is the worst of its databases.
    package static func worst(of states: [Self]) -> Self {
        let order: [Self] = [.newerThanKnown, .unknown, .upgradeNeeded]
        return order.first(where: states.contains) ?? .current
    }

    /// What would become of a database with this schema.
    package init(_ schema: SchemaStatus, of database: AccountDatabase) {
        switch schema.origin {
        case .none, .otherDatabase, .unknown: self = .unknown
        case _ where schema.isNewer: self = .newerThanKnown
        case .valise: self = schema.pending.isEmpty ? .current : .upgradeNeeded
        case .official:
            self = schema.newest == database.lineage.officialNames.last ? .current : .upgradeNeeded
        }
    }
}
