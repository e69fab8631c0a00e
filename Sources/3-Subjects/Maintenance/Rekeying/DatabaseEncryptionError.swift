import SystemPackage
import ValiseDatabase
import ValiseEncoding
import ValiseFailures

/// Why a change of passphrase failed: the official programs' `databaseError`
/// (Documentation/formats/account.md).
package enum DatabaseEncryptionError: Sendable, Equatable {
    /// The databases are encrypted, and no current passphrase was given.
    case errorEncrypted
    /// The databases are not encrypted, and a current passphrase was given.
    case errorPlaintext
    case errorNoFile(dbFile: String)
    /// The new databases could not be written; a wrong current passphrase is found out there too.
    case errorExport(sqliteError: SQLiteError)
    /// A new database could not be opened.
    case errorOpen(sqliteError: SQLiteError)

    /// What SQLite said.
    package enum SQLiteError: Sendable, Equatable {
        case errorNotADatabase
        case error(dbError: String)
    }
}

extension DatabaseEncryptionError {
    /// The official form of an error of ``AccountRekey``; nil where it has none.
    package init?(_ error: any Error) {
        switch error {
        case let error as RekeyError: self = error.official
        case let error as DatabaseError:
            self = .errorExport(
                sqliteError: error.isNotADatabase ? .errorNotADatabase : .error(dbError: error.message))
        default: return nil
        }
    }
}

extension DatabaseEncryptionError: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .errorEncrypted: try SumCoding.encode("errorEncrypted", to: encoder)
        case .errorPlaintext: try SumCoding.encode("errorPlaintext", to: encoder)
        case .errorNoFile(let file):
            try SumCoding.encode("errorNoFile", to: encoder) { try $0.encode(file, forKey: "dbFile") }
        case .errorExport(let error):
            try SumCoding.encode("errorExport", to: encoder) { try $0.encode(error, forKey: "sqliteError") }
        case .errorOpen(let error):
            try SumCoding.encode("errorOpen", to: encoder) { try $0.encode(error, forKey: "sqliteError") }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "errorEncrypted": self = .errorEncrypted
        case "errorPlaintext": self = .errorPlaintext
        case "errorNoFile": self = .errorNoFile(dbFile: try fields.decode(String.self, forKey: "dbFile"))
        case "errorExport":
            self = .errorExport(sqliteError: try fields.decode(SQLiteError.self, forKey: "sqliteError"))
        case "errorOpen":
            self = .errorOpen(sqliteError: try fields.decode(SQLiteError.self, forKey: "sqliteError"))
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}

extension DatabaseEncryptionError.SQLiteError: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .errorNotADatabase: try SumCoding.encode("errorNotADatabase", to: encoder)
        case .error(let text):
            try SumCoding.encode("error", to: encoder) { try $0.encode(text, forKey: "dbError") }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "errorNotADatabase": self = .errorNotADatabase
        case "error": self = .error(dbError: try fields.decode(String.self, forKey: "dbError"))
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}

/// The error of a command as the official programs nest it.
package struct ChatErrorDatabase: Sendable, Equatable, Codable {
    package let databaseError: DatabaseEncryptionError

    package init(_ databaseError: DatabaseEncryptionError) { self.databaseError = databaseError }

    package func encode(to encoder: any Encoder) throws {
        try SumCoding.encode("errorDatabase", to: encoder) {
            try $0.encode(databaseError, forKey: "databaseError")
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        guard name == "errorDatabase" else { throw SumCoding.unknownCase(name, decoder) }
        databaseError = try fields.decode(DatabaseEncryptionError.self, forKey: "databaseError")
    }
}
