/// A setting that belongs to a database file.
package enum DatabaseSetting: String, Sendable, CaseIterable {
    case applicationID = "application_id"
    case autoVacuum = "auto_vacuum"
    case encoding
    case freePages = "freelist_count"
    case pageCount = "page_count"
    case pageSize = "page_size"
    case schemaVersion = "schema_version"
    case userVersion = "user_version"
}

/// What SQLCipher says of its encryption once a passphrase opened a database.
package enum CipherSetting: String, Sendable {
    case pageSize = "cipher_page_size"
    case kdfIterations = "kdf_iter"
    case kdfAlgorithm = "cipher_kdf_algorithm"
    case hmacAlgorithm = "cipher_hmac_algorithm"
    case usesHMAC = "cipher_use_hmac"
    case provider = "cipher_provider"
}

extension Connection {
    /// What SQLite answers; SQLCipher answers some with text where SQLite has a number.
    /// - Throws: ``DatabaseError``.
    package borrowing func setting(_ setting: DatabaseSetting) throws(DatabaseError) -> Value? {
        try value("PRAGMA \(setting.rawValue)")
    }

    /// A setting that is a number.
    /// - Throws: ``DatabaseError``.
    package borrowing func number(_ setting: DatabaseSetting) throws(DatabaseError) -> Int64 {
        switch try self.setting(setting) {
        case .integer(let number): return number
        case .text(let text):
            if let number = Int64(text) { return number }
        default: break
        }
        throw unanswered(setting.rawValue)
    }

    /// What SQLCipher answers; nil for an unencrypted database.
    /// - Throws: ``DatabaseError``.
    package borrowing func cipherSetting(_ setting: CipherSetting) throws(DatabaseError) -> String? {
        switch try value("PRAGMA \(setting.rawValue)") {
        case .text(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// Reads the first page, which proves that the database opens.
    /// - Throws: ``DatabaseError``.
    package borrowing func readFirstPage() throws(DatabaseError) {
        _ = try value("SELECT count(*) FROM sqlite_master")
    }

    /// How many KiB of pages this connection keeps in memory.
    /// - Throws: ``DatabaseError``.
    package borrowing func setCacheSize(kibibytes: Int) throws(DatabaseError) {
        try execute("PRAGMA cache_size = -\(kibibytes)")
    }

    /// Folds a write-ahead log in and uses a rollback journal from now on.
    /// - Returns: whether SQLite did so.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    package borrowing func useRollbackJournal() throws(DatabaseError) -> Bool {
        try value("PRAGMA journal_mode = DELETE") == .text("delete")
    }
}
