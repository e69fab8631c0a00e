import ValiseEncoding

/// What may happen without asking (Documentation/formats/migrations.md).
public enum MigrationConfirmation: String, Sendable, CaseIterable {
    /// Upgrades are run; a newer database is an error.
    case yesUp
    /// Upgrades and downgrades are run.
    case yesUpDown
    /// Somebody is asked.
    case console
    /// Nothing is run: pending migrations are an error that lists them.
    case error
}

/// How the opening and migration of one database ended: `DBMigrationResult` of the official programs.
package enum MigrationResult: Sendable, Equatable {
    case ok
    case invalidConfirmation
    case errorNotADatabase(dbFile: String)
    case errorMigration(dbFile: String, migrationError: MigrationProblem)
    case errorSQL(dbFile: String, migrationSQLError: String)
    /// The key store refused (apps only).
    case errorKeychain
    /// A case that this version does not know, such as `agentError` of newer cores.
    case unknown(type: String)
}

/// Why migrations did not run.
package enum MigrationProblem: Sendable, Equatable {
    case upgrade(upMigrations: [UpMigration])
    case downgrade(downMigrations: [String])
    case migrationError(mtrError: MigrationMismatch)
}

/// A pending upgrade as it is reported.
package struct UpMigration: Sendable, Equatable, Codable {
    package let upName: String
    package let withDown: Bool

    package init(upName: String, withDown: Bool) {
        self.upName = upName
        self.withDown = withDown
    }

    init(_ migration: Migration) {
        self.init(upName: migration.name, withDown: migration.down != nil)
    }
}

/// Why no way leads from a database to the app's list.
package enum MigrationMismatch: Sendable, Equatable {
    case noDown(dbMigrations: [String])
    case different(appMigration: String, dbMigration: String)
}

extension MigrationResult: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .ok: try SumCoding.encode("ok", to: encoder)
        case .invalidConfirmation: try SumCoding.encode("invalidConfirmation", to: encoder)
        case .errorKeychain: try SumCoding.encode("errorKeychain", to: encoder)
        case .unknown(let type): try SumCoding.encode(type, to: encoder)
        case .errorNotADatabase(let file):
            try SumCoding.encode("errorNotADatabase", to: encoder) { try $0.encode(file, forKey: "dbFile") }
        case .errorMigration(let file, let problem):
            try SumCoding.encode("errorMigration", to: encoder) {
                try $0.encode(file, forKey: "dbFile")
                try $0.encode(problem, forKey: "migrationError")
            }
        case .errorSQL(let file, let text):
            try SumCoding.encode("errorSQL", to: encoder) {
                try $0.encode(file, forKey: "dbFile")
                try $0.encode(text, forKey: "migrationSQLError")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "ok": self = .ok
        case "invalidConfirmation": self = .invalidConfirmation
        case "errorKeychain": self = .errorKeychain
        case "errorNotADatabase":
            self = .errorNotADatabase(dbFile: try fields.decode(String.self, forKey: "dbFile"))
        case "errorMigration":
            self = .errorMigration(
                dbFile: try fields.decode(String.self, forKey: "dbFile"),
                migrationError: try fields.decode(MigrationProblem.self, forKey: "migrationError"))
        case "errorSQL":
            self = .errorSQL(
                dbFile: try fields.decode(String.self, forKey: "dbFile"),
                migrationSQLError: try fields.decode(String.self, forKey: "migrationSQLError"))
        default: self = .unknown(type: name)
        }
    }
}

extension MigrationProblem: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .upgrade(let migrations):
            try SumCoding.encode("upgrade", to: encoder) { try $0.encode(migrations, forKey: "upMigrations") }
        case .downgrade(let names):
            try SumCoding.encode("downgrade", to: encoder) { try $0.encode(names, forKey: "downMigrations") }
        case .migrationError(let mismatch):
            try SumCoding.encode("migrationError", to: encoder) {
                try $0.encode(mismatch, forKey: "mtrError")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "upgrade":
            self = .upgrade(upMigrations: try fields.decode([UpMigration].self, forKey: "upMigrations"))
        case "downgrade":
            self = .downgrade(downMigrations: try fields.decode([String].self, forKey: "downMigrations"))
        case "migrationError":
            self = .migrationError(
                mtrError: try fields.decode(MigrationMismatch.self, forKey: "mtrError"))
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}

extension MigrationMismatch: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .noDown(let names):
            try SumCoding.encode("noDown", to: encoder) { try $0.encode(names, forKey: "dbMigrations") }
        case .different(let app, let database):
            try SumCoding.encode("different", to: encoder) {
                try $0.encode(app, forKey: "appMigration")
                try $0.encode(database, forKey: "dbMigration")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "noDown":
            self = .noDown(dbMigrations: try fields.decode([String].self, forKey: "dbMigrations"))
        case "different":
            self = .different(
                appMigration: try fields.decode(String.self, forKey: "appMigration"),
                dbMigration: try fields.decode(String.self, forKey: "dbMigration"))
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}
