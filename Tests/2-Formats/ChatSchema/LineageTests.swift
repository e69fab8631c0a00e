import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseSecrets

/// The embedded schema of both databases.
struct LineageTests {
    private static let folder = Repository.url("Migrations")

    @Test(arguments: AccountDatabase.allCases)
    func `the table of embedded migrations is the folder's content`(database: AccountDatabase) throws {
        let folder = Self.folder.appending(path: database.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let migrations = database.lineage.migrations
        let expected = migrations.flatMap { ["\($0.name).up.sql", "\($0.name).down.sql"] }
        #expect(names.sorted() == expected.sorted())
        for migration in migrations {
            let up = try String(
                contentsOf: folder.appending(path: "\(migration.name).up.sql"), encoding: .utf8)
            let down = try String(
                contentsOf: folder.appending(path: "\(migration.name).down.sql"), encoding: .utf8)
            #expect(migration.up == up)
            #expect(migration.down == down)
        }
        #expect(migrations.count >= 12)
    }

    /// Where it fails, a migration is new: the digest that is printed belongs into ``SchemaLineage``.
    @Test(arguments: AccountDatabase.allCases)
    func `the schema that all migrations give is known by its digest`(database: AccountDatabase) throws {
        let lineage = database.lineage
        #expect(try SchemaSnapshot(of: lineage.migrations).digest == lineage.newestDigest)
    }

    /// White space and the order of objects are no difference; anything else is.
    @Test func `a schema with the digest is not run again, and another one is named as ever`() throws {
        let lineage = AccountDatabase.agent.lineage
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        let list = try MigrationList(lineage.migrations)
        #expect(try Migrator(list).run(on: connection, confirmation: .yesUp) == .ok)
        #expect(try SchemaStatus(connection, of: lineage).drift == DriftReport())
        // Named as what it is not, the schema is compared object by object, and is the same.
        #expect(try Migrator(list).drift(on: connection, newest: "another") == DriftReport())
        try connection.execute("CREATE TABLE extra (x)")
        #expect(try SchemaStatus(connection, of: lineage).drift?.unknownObjects == ["table extra"])
    }

    @Test(arguments: AccountDatabase.allCases)
    func `each step back gives the schema of before, and up again the same`(database: AccountDatabase) throws
    {
        let migrations = database.lineage.migrations
        let connection = try Connection(":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
        func migrate(upTo count: Int) throws -> SchemaSnapshot {
            let target = count == 0 ? migrations[0].name : migrations[count - 1].name
            let list = try MigrationList(migrations, upTo: target)
            #expect(try Migrator(list).run(on: connection, confirmation: .yesUpDown) == .ok)
            return try SchemaSnapshot(connection)
        }
        var schemas: [SchemaSnapshot] = []
        for count in 1...migrations.count { schemas.append(try migrate(upTo: count)) }
        for count in (1...migrations.count).reversed() {
            #expect(try migrate(upTo: count) == schemas[count - 1], "\(migrations[count - 1].name)")
        }
        #expect(try migrate(upTo: migrations.count) == schemas.last)
        #expect(try connection.value("PRAGMA integrity_check") == "ok")
    }

    /// A selection of what Documentation/formats/account.md speaks of: what a reader of official databases asks for.
    @Test(arguments: [
        (AccountDatabase.chat, "users", "user_id contact_id local_display_name active_user view_pwd_hash"),
        (.chat, "contacts", "contact_id contact_profile_id is_user chat_ts contact_status chat_item_ttl"),
        (.chat, "groups", "group_id group_profile_id business_chat use_relays summary_current_members_count"),
        (.chat, "group_members", "group_member_id member_id member_role member_category member_status"),
        (
            .chat, "chat_items",
            "chat_item_id contact_id group_id note_folder_id item_content item_content_tag item_text item_ts "
                + "item_deleted quoted_content timed_ttl fwd_from_tag msg_content_tag group_scope_tag msg_signed"
        ),
        (.chat, "chat_item_reactions", "item_member_id shared_msg_id reaction reaction_sent reaction_ts"),
        (
            .chat, "files",
            "file_id file_name file_path file_size ci_file_status file_crypto_key file_crypto_nonce"
        ),
        (.chat, "chat_tags_chats", "contact_id group_id chat_tag_id"),
        (.chat, "app_settings", "app_settings"),
        (.agent, "connections", "conn_id conn_mode user_id ratchet_sync_state pq_support"),
        (.agent, "rcv_queues", "host port rcv_id conn_id rcv_private_key status switch_status"),
        (.agent, "ratchets", "conn_id ratchet_state e2e_version"),
        (.agent, "skipped_messages", "header_key msg_n msg_key"),
    ])
    func `has the tables and columns of the official schema`(
        database: AccountDatabase, table: String, columns: String
    ) throws {
        let found = try #require(Self.made.get()[database]?[table])
        let missing = Set(columns.split(separator: " ").map(String.init)).subtracting(found)
        #expect(missing.isEmpty, "\(table)")
    }

    /// The columns of all tables that our migrations make, by table.
    private static let made = Result {
        try Dictionary(
            uniqueKeysWithValues: AccountDatabase.allCases.map { database in
                let connection = try Connection(
                    ":memory:", mode: .inMemory, passphrase: SecretBytes.empty())
                let list = try MigrationList(database.lineage.migrations)
                _ = try Migrator(list).run(on: connection, confirmation: .yesUp)
                var columns: [String: Set<String>] = [:]
                for row in try connection.rows(
                    "SELECT m.name, i.name FROM sqlite_master m, pragma_table_info(m.name) i WHERE m.type = 'table'"
                ) {
                    guard let table = row[0].text, let column = row[1].text else { continue }
                    columns[table, default: []].insert(column)
                }
                return (database, columns)
            })
    }

    @Test func `knows the official names`() {
        #expect(SchemaLineage.chat.officialNames.count == 164)
        #expect(SchemaLineage.agent.officialNames.count == 44)
        #expect(SchemaLineage.chat.officialNames.last == "20260720_server_roles")
        #expect(SchemaLineage.agent.officialNames.last == "m20260410_receive_attempts")
    }
}
