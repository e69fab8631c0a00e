import SystemPackage
import ValiseDatabase
import ValiseSecrets

/// Opens the copy of a database with its log, and looks whether it is sound. What is copied does not change by that.
struct SessionProof {
    let kind: SessionKind
    let key: SessionDatabaseKey
    /// In a folder of this process alone.
    let copy: FilePath
    /// What errors call it.
    let name: FilePath

    /// What it found.
    struct Result {
        var facts: SessionFacts
        /// What is wrong; nil for nothing.
        var damage: String?
    }

    /// - Parameter look: throw to stop.
    /// - Throws: ``SessionStoreError``: `wrongKey`, `failed`; whatever `look` throws.
    func run(_ look: () throws -> Void) throws -> Result {
        var result = Result(facts: SessionFacts(kind))
        do {
            try SessionStoreError.mapping {
                // Whoever may not write takes nothing out of the log.
                let connection = try Connection(
                    copy, mode: .readOnly, passphrase: key.passphrase.bytes, cipher: key.settings)
                result.damage = try damage(connection, look)
                try read(connection, &result.facts, look)
            }
        } catch let error as SessionStoreError where error.kind == .damaged {
            result.damage = result.damage ?? error.message
        } catch let error as SessionStoreError where error.subject == copy.string {
            // The copy has a name that nobody knows.
            throw SessionStoreError(
                error.kind, error.message, name.string, cause: error.cause, remedy: error.remedy)
        }
        result.facts.isOpened = result.damage == nil
        return result
    }

    /// A page that was half written when the program ended is wrong in the database and right in the log: then it counts what
    /// SQLite reads.
    private func damage(_ connection: borrowing Connection, _ look: () throws -> Void) throws -> String? {
        try look()
        guard let first = try connection.rows("PRAGMA cipher_integrity_check").first?.first?.text else {
            return nil
        }
        let checked = try connection.supervised(by: look) {
            try connection.rows("PRAGMA quick_check(1)").first?.first?.text
        }
        return checked == "ok" ? nil : first
    }

    private func read(
        _ connection: borrowing Connection, _ facts: inout SessionFacts, _ look: () throws -> Void
    ) throws {
        let tables: (conversations: String, messages: String)
        switch kind {
        case .desktop:
            let schema = try DesktopSchema(connection)
            (facts.schema, facts.userVersion) = (schema.version, schema.userVersion)
            tables = (DesktopConversationRow.table, DesktopMessageRow.table)
        case .phone:
            facts.schema = Int64(try PhoneSchema(connection).migrations.count)
            tables = (PhoneConversationRow.table, PhoneInteractionRow.table)
        }
        facts.conversations = try count(tables.conversations, connection, look)
        facts.messages = try count(tables.messages, connection, look)
    }

    private func count(
        _ table: String, _ connection: borrowing Connection, _ look: () throws -> Void
    ) throws -> Int64? {
        guard try connection.hasTable(table) else { return nil }
        return try connection.supervised(by: look) {
            try connection.value("SELECT count(*) FROM \(table)")?.integer
        }
    }
}
