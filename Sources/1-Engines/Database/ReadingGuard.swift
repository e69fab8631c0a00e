import CValiseSQLCipher

/// Lets SQLite compile only what reads: asked for each part of a statement, by SQLite's authorizer.
final class ReadingGuard {
    /// What was refused first, for the message.
    private(set) var refusal: String?

    /// Everything that a query may do; each other action is refused.
    private static let readingActions: Set<Int32> = [SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE]

    /// Functions that reach out of the database. Some exist in other builds of SQLite only.
    private static let refusedFunctions: Set<String> = [
        "load_extension", "sqlcipher_export", "readfile", "writefile", "edit", "fts3_tokenizer",
    ]

    /// PRAGMAs that only tell something, whatever their argument is.
    private static let tellingPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
        "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
    ]

    /// PRAGMAs that tell something without an argument, and set it with one.
    private static let settingPragmas: Set<String> = [
        "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version",
        "database_list", "encoding", "foreign_keys", "freelist_count", "function_list", "journal_mode",
        "module_list", "page_count", "page_size", "pragma_list", "query_only", "schema_version",
        "user_version", "cipher_hmac_algorithm", "cipher_integrity_check", "cipher_kdf_algorithm",
        "cipher_page_size", "cipher_provider", "cipher_provider_version", "cipher_use_hmac",
        "cipher_version", "kdf_iter",
    ]

    private static let schemaChange = "a statement that changes the schema"

    private static let names: [Int32: String] = [
        SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH", SQLITE_TRANSACTION: "a transaction",
        SQLITE_SAVEPOINT: "a savepoint", SQLITE_INSERT: "INSERT", SQLITE_UPDATE: "UPDATE",
        SQLITE_DELETE: "DELETE", SQLITE_ANALYZE: "ANALYZE", SQLITE_REINDEX: "REINDEX",
        SQLITE_ALTER_TABLE: "ALTER TABLE", SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
    ]

    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32 = { context, action, first, second, _, _ in
            guard let context = unsafe context else { return SQLITE_DENY }
            return unsafe Unmanaged<ReadingGuard>.fromOpaque(context).takeUnretainedValue().judge(
                action, first.map { unsafe String(cString: $0) },
                unsafe second.map { unsafe String(cString: $0) })
        }

    private func judge(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        guard let reason = Self.reason(against: action, first, second) else { return SQLITE_OK }
        if refusal == nil { refusal = reason }
        return SQLITE_DENY
    }

    private static func reason(against action: Int32, _ first: String?, _ second: String?) -> String? {
        switch action {
        case _ where readingActions.contains(action): return nil
        case SQLITE_FUNCTION:
            let name = (second ?? "").lowercased()
            return refusedFunctions.contains(name) ? "the function \(name)" : nil
        case SQLITE_PRAGMA:
            let name = (first ?? "").lowercased()
            if tellingPragmas.contains(name) || second == nil && settingPragmas.contains(name) { return nil }
            return "PRAGMA \(name)" + (second == nil ? "" : " with a value")
        // CREATE and DROP begin with a change of the table of the schema.
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            let isSchema = ["sqlite_master", "sqlite_temp_master"].contains(first)
            return isSchema ? schemaChange : names[action]
        default: return names[action] ?? schemaChange
        }
    }
}
