import Testing
import ValiseDatabase
import ValiseFailures

@testable import ValiseChatSchema

/// Rows are what their schema says, or an error that names them.
struct RowsTests {
    @Test(arguments: AccountFixture.official)
    func `all users, names and files of an official account are read`(
        account: AccountFixture.Official
    ) throws {
        let chat = try AccountFixture.open(account, "chat")
        let schema = try ChatSchema(chat)
        var rows = try schema.users(chat)
        var users: [UserRow] = []
        while let user = try rows.next() { users.append(user) }
        #expect(users.count { $0.isActive == .value(true) } == 1)
        #expect(users.allSatisfy { !$0.name.isEmpty && $0.isHidden == .value(false) })
        #expect(try !schema.hasNoUsers(chat))

        var names: [Int64: ChatName] = [:]
        try schema.forEachContact(chat) { row in
            let row = try row.get()
            names[row.id] = row.name
        }
        #expect(Int64(names.count) == (try chat.rowCount(of: "contacts")))
        #expect(names.values.allSatisfy { !$0.shown.isEmpty && !$0.localName.isEmpty })
        try schema.forEachGroup(chat) { row in
            let name = try row.get().name
            #expect(!name.shown.isEmpty)
        }

        let files = try #require(try FileTable(schema, chat))
        var found = try files.rows(chat)
        var count: Int64 = 0
        while let file = try found.next() {
            count += 1
            #expect(file.size > 0)
            #expect(file.name.value?.isEmpty == false && !file.path.isEmpty)
            #expect(file.itemTime.value != nil)
            #expect(try files.row(file.id, chat)?.path == file.path)
            var wasLent = false
            try FileKeyReader(chat).withKeys(of: file.id) { key, nonce in
                wasLent = true
                #expect(key.count == 32 && nonce.count == 24)
            }
            #expect(wasLent == (file.keys == .complete))
        }
        #expect(count > 0)
        #expect(try files.count(chat) == count)
        for row in try schema.newestRows(chat).prefix(3) { #expect(row != nil) }
    }

    @Test(arguments: AccountFixture.official)
    func `all connections of an official agent database are read in order`(
        account: AccountFixture.Official
    ) throws {
        let agent = try AccountFixture.open(account, "agent")
        let schema = try AgentSchema(agent)
        var rows = try schema.connections(agent)
        var previous: [UInt8] = []
        var count: Int64 = 0
        while let row = try rows.next() {
            #expect(previous.lexicographicallyPrecedes(row.id))
            previous = row.id
            count += 1
        }
        #expect(count > 0)
        #expect(try agent.rowCount(of: "connections") == count)
        for table in TransferTable.allCases { #expect(schema.recordsPaths(table) == true) }
        _ = try schema.pathsToSend(agent)
    }

    @Test func `a column of a newer schema is absent, and NULL is something else`() throws {
        let old = try AccountFixture.open(AccountFixture.official[0], "chat")
        var rows = try #require(try FileTable(try ChatSchema(old), old)).rows(old)
        #expect(try rows.next()?.noteFolderID == .absent)
        let new = try AccountFixture.open(AccountFixture.official[1], "chat")
        var others = try #require(try FileTable(try ChatSchema(new), new)).rows(new)
        #expect(try others.next()?.noteFolderID == .null)
    }

    /// As our own schema, without its promises.
    private static let lax = """
        CREATE TABLE users (user_id INTEGER PRIMARY KEY, local_display_name, active_user);
        CREATE TABLE files (
            file_id INTEGER PRIMARY KEY, contact_id, group_id, file_name, file_path, file_size, user_id);
        CREATE TABLE contact_profiles (contact_profile_id INTEGER PRIMARY KEY, display_name);
        CREATE TABLE contacts (contact_id INTEGER PRIMARY KEY, contact_profile_id, local_display_name);
        INSERT INTO users VALUES (1, 'alice', 1), (2, NULL, 0), (3, CAST('carol' AS BLOB), 0);
        INSERT INTO files VALUES (7, 1, NULL, 'a', 'a', 10, 1), (8, 1, NULL, 'b', 'b', NULL, 1),
            (9, 1, NULL, 'c', 'c', 'large', 1), (10, 1, NULL, CAST('d' AS BLOB), 'd', 12, 1);
        INSERT INTO contact_profiles VALUES (1, 'Bob');
        INSERT INTO contacts VALUES (4, 1, 'bob'), (5, 99, 'gone'), (6, 1, NULL);
        """

    @Test func `NULL where the schema forbids it is an error that names table, column and row`() throws {
        let connection = try AccountFixture.made(Self.lax)
        let schema = try ChatSchema(connection)
        var rows = try schema.users(connection)
        #expect(try rows.next()?.name == "alice")
        let error = #expect(throws: DatabaseError.self) { _ = try rows.next() }
        #expect(error?.code == .damaged)
        for part in ["row 2", "users", "local_display_name", "NULL"] {
            #expect(error?.message.contains(part) == true, "\(part)")
        }
        // The rows behind it can be read; text that is stored as a blob is text.
        #expect(try rows.next()?.name == "carol")
        #expect(try rows.next() == nil)
    }

    @Test func `who counts damaged rows goes on behind them`() throws {
        let connection = try AccountFixture.made(Self.lax)
        var rows = try #require(try FileTable(try ChatSchema(connection), connection)).rows(connection)
        var sizes: [Int64] = []
        var messages: [String] = []
        while let row = try rows.nextResult() {
            switch row {
            case .success(let file): sizes.append(file.size)
            case .failure(let error): messages.append(error.message)
            }
        }
        #expect(sizes == [10, 12])
        #expect(messages.count == 2)
        #expect(messages[0].contains("row 8") && messages[0].contains("file_size is NULL"))
        #expect(messages[1].contains("row 9") && messages[1].contains("file_size is not a number"))
    }

    @Test func `whether NULL is allowed is what the schema of this database says`() throws {
        let connection = try AccountFixture.made(
            """
            CREATE TABLE files (file_id INTEGER, file_path, file_size, user_id, file_name TEXT NOT NULL);
            INSERT INTO files VALUES (1, 'a', 1, NULL, 'a')
            """)
        var rows = try #require(try FileTable(try ChatSchema(connection), connection)).rows(connection)
        let file = try #require(try rows.next())
        #expect(file.userID == .null)
        #expect(file.contactID == .absent)
        try connection.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'user_id,', 'user_id NOT NULL,');
            PRAGMA writable_schema = RESET
            """)
        var strict = try #require(try FileTable(try ChatSchema(connection), connection)).rows(connection)
        #expect(throws: DatabaseError.self) { _ = try strict.next() }
    }

    @Test func `NULL that the schema forbids in a joined row is an error, and a row that is missing is none`()
        throws
    {
        let connection = try AccountFixture.made(
            """
            CREATE TABLE chat_items (chat_item_id INTEGER PRIMARY KEY, item_ts TEXT);
            CREATE TABLE files (file_id INTEGER PRIMARY KEY, file_path, file_size, chat_item_id);
            INSERT INTO chat_items VALUES (1, '2026-01-01'), (2, NULL);
            INSERT INTO files VALUES (1, 'a', 1, 1), (2, 'b', 1, 2), (3, 'c', 1, 99)
            """)
        var lax = try #require(try FileTable(try ChatSchema(connection), connection)).rows(connection)
        #expect(try lax.next()?.itemTime == .value("2026-01-01"))
        #expect(try lax.next()?.itemTime == .null)
        #expect(try lax.next()?.itemTime == .null)
        #expect(try lax.next() == nil)
        try connection.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'item_ts TEXT', 'item_ts TEXT NOT NULL');
            PRAGMA writable_schema = RESET
            """)
        var strict = try #require(try FileTable(try ChatSchema(connection), connection)).rows(connection)
        #expect(try strict.next()?.itemTime == .value("2026-01-01"))
        let error = #expect(throws: DatabaseError.self) { _ = try strict.next() }
        #expect(error?.code == .damaged && error?.message.contains("item_ts is NULL") == true)
        #expect(try strict.next()?.itemTime == .null)
        #expect(try strict.next() == nil)
    }

    @Test func `a profile that is gone has no name, and one without its name is damaged`() throws {
        let connection = try AccountFixture.made(
            """
            CREATE TABLE contact_profiles (contact_profile_id INTEGER PRIMARY KEY, display_name TEXT);
            CREATE TABLE contacts (
                contact_id INTEGER PRIMARY KEY, contact_profile_id INTEGER, local_display_name TEXT);
            INSERT INTO contact_profiles VALUES (1, NULL);
            INSERT INTO contacts VALUES (1, 1, 'alice'), (2, 99, 'bob');
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ', display_name TEXT', ', display_name NOT NULL');
            PRAGMA writable_schema = RESET
            """)
        var shown: [String] = []
        var damaged = 0
        try ChatSchema(connection).forEachContact(connection) { row in
            switch row {
            case .success(let row): shown.append(row.name.shown)
            case .failure: damaged += 1
            }
        }
        #expect(shown == ["bob"] && damaged == 1)
    }

    @Test func `a name is the alias, else that of the profile, else the local one`() throws {
        let connection = try AccountFixture.made(Self.lax)
        var shown: [Int64: String] = [:]
        var damaged = 0
        try ChatSchema(connection).forEachContact(connection) { row in
            switch row {
            case .success(let row): shown[row.id] = row.name.shown
            case .failure: damaged += 1
            }
        }
        #expect(shown == [4: "Bob", 5: "gone"])
        #expect(damaged == 1)
        try connection.execute(
            """
            ALTER TABLE contact_profiles ADD COLUMN local_alias;
            UPDATE contact_profiles SET local_alias = 'Bobby'
            """)
        try ChatSchema(connection).forEachContact(connection) { row in
            if case .success(let row) = row, row.id == 4 { #expect(row.name.shown == "Bobby") }
        }
    }

    @Test func `settings are put where there is a table for them, and a trigger is seen`() throws {
        let bare = try AccountFixture.made("CREATE TABLE users (user_id INTEGER)")
        #expect(try AppSettingsTable(bare) == nil)
        let connection = try AccountFixture.own(.chat, level: SchemaLineage.chat.migrations.count)
        let table = try #require(try AppSettingsTable(connection))
        #expect(try table.stored(connection) == nil)
        for text in ["{}", "{\"a\":1}"] {
            try table.put(text, connection)
            #expect(try table.stored(connection) == .text(text))
        }
        #expect(try connection.rowCount(of: "app_settings") == 1)
        #expect(try !table.hasTrigger(connection))
        try connection.execute(
            "CREATE TRIGGER t AFTER UPDATE ON APP_SETTINGS BEGIN DELETE FROM app_settings; END")
        #expect(try table.hasTrigger(connection))
    }

    @Test func `keys are written and taken away`() throws {
        let connection = try AccountFixture.own(.chat, level: SchemaLineage.chat.migrations.count)
        try connection.execute(
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO files (file_id, user_id, file_name, file_path, file_size) VALUES (1, 1, 'a', 'a', 5)
            """)
        let files = try #require(try FileTable(try ChatSchema(connection), connection))
        #expect(files.storesKeys)
        #expect(try files.row(1, connection)?.keys == FileRow.Keys.none)
        let writer = try FileKeyWriter(connection)
        try [UInt8](repeating: 7, count: 32).withUnsafeBytes { key in
            try [UInt8](repeating: 9, count: 24).withUnsafeBytes { try writer.set(key, $0, of: 1) }
        }
        #expect(try files.row(1, connection)?.keys == .complete)
        try connection.execute("UPDATE files SET file_crypto_key = x'00'")
        #expect(try files.row(1, connection)?.keys == .broken)
        try writer.clear(1)
        #expect(try files.row(1, connection)?.keys == FileRow.Keys.none)
    }
}
