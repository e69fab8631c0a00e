import SystemPackage
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// Opens the copy of a database with its log, and looks whether it is sound. What is copied does not change by that.
struct SessionProof {
    let kind: SessionKind
    let key: SessionDatabaseKey
    /// In a folder of this process alone.
    let copy: FilePath
    /// What errors call it.
    let name: FilePath
    let fileSystem: FileSystem

    /// What it found.
    struct Result {
        var facts: SessionFacts
        /// What is wrong; nil for nothing.
        var damage: String?
    }

    /// - Parameter look: throw to stop.
    /// - Throws: ``SessionStoreError``: `wrongKey`, `failed`; `FileError` with `noSpace`; whatever `look` throws.
    func run(_ look: () throws -> Void) throws -> Result {
        var result = Result(facts: SessionFacts(kind))
        let second = try secondCopy(look)
        let opened = second?.database ?? copy
        do {
            try SessionStoreError.mapping {
                let connection = try connect(second)
                result.damage = try damage(connection, opened, look)
                try read(connection, &result.facts, look)
            }
        } catch let error as SessionStoreError where error.kind == .damaged {
            result.damage = result.damage ?? error.message
        } catch let error as SessionStoreError {
            throw error.named(name, insteadOf: opened)
        }
        result.facts.isOpened = result.damage == nil
        return result
    }

    /// What waits in a journal has to be put back before anything is read: in a copy of the copy, which goes with it.
    /// - Returns: nil where there is no journal.
    private func secondCopy(_ look: () throws -> Void) throws -> PrivateCopy? {
        let journal = try fileSystem.attributes(of: copy.appendingSuffix(DatabaseSnapshot.journal))
        guard let journal, journal.size > 0 else { return nil }
        let snapshot = DatabaseSnapshot(path: copy, key: key, fileSystem: fileSystem)
        do {
            return try snapshot.takeFiles(in: copy.parentFolder) { _ in try look() }
        } catch let error as FileError where error.path == copy {
            throw FileError(error.code, error.message, name, errno: error.errno, remedy: error.remedy)
        }
    }

    private func connect(_ second: PrivateCopy?) throws(DatabaseError) -> Connection {
        try key.checkFirstPages(of: second?.database ?? copy, fileSystem)
        if let second {
            return try Connection(
                second.database, mode: .shared, passphrase: key.passphrase.bytes, cipher: key.settings)
        }
        // Whoever may not write takes nothing out of the log.
        return try Connection(copy, mode: .readOnly, passphrase: key.passphrase.bytes, cipher: key.settings)
    }

    /// A page that was half written when the program ended is wrong in the database and right in the log: then it counts what
    /// SQLite reads.
    private func damage(
        _ connection: borrowing Connection, _ path: FilePath, _ look: () throws -> Void
    ) throws -> String? {
        try look()
        let pages = try FileSource(path, fileSystem: fileSystem)
        guard let first = try key.pageProblems(of: pages, most: 1, progress: { _ in try look() }).first
        else { return nil }
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
