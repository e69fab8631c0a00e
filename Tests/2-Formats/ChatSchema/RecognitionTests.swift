import Testing
import ValiseDatabase

@testable import ValiseChatSchema

/// Schemas of each age are told by their migrations, tables and columns.
struct RecognitionTests {
    @Test(arguments: AccountFixture.official)
    func `databases that the app's own core made are official and known`(
        account: AccountFixture.Official
    ) throws {
        let chat = try AccountFixture.open(account, "chat")
        let status = try SchemaStatus(chat, of: .chat)
        #expect(status.origin == .official)
        #expect(status.applied == account.chatMigrations)
        #expect(!status.isNewer)
        let agent = try AccountFixture.open(account, "agent")
        #expect(try SchemaStatus(agent, of: .agent).applied == account.agentMigrations)
        #expect(try SchemaStatus(agent, of: .agent).origin == .official)
    }

    @Test func `an agent database of 44 migrations is official and known`() throws {
        let agent = try AccountFixture.officialAgent()
        let status = try SchemaStatus(agent, of: .agent)
        #expect(status.origin == .official)
        #expect(status.applied == 44)
        #expect(!status.isNewer)
        let schema = try AgentSchema(agent)
        for table in AgentTable.allCases { #expect(schema.tables[table] != nil, "\(table)") }
    }

    @Test func `what a schema is too old for is not there`() throws {
        let old = try ChatSchema(AccountFixture.open(AccountFixture.official[0], "chat"))
        let new = try ChatSchema(AccountFixture.open(AccountFixture.official[1], "chat"))
        #expect(old.tables[.noteFolders] == nil)
        #expect(new.tables[.noteFolders] != nil)
        #expect(old.tables[.appSettings] == nil)
        #expect(!old.tables.has(.files, with: "note_folder_id"))
        #expect(new.tables.has(.files, with: "note_folder_id", "file_crypto_key"))
        #expect(!new.tables.has(.chatItems, with: "item_sent", "no_such_column"))
        let later: Set<ChatTable> = [.noteFolders, .appSettings, .itemMentions]
        for table in ChatTable.allCases where !later.contains(table) {
            #expect(old.tables[table] != nil, "\(table)")
        }
    }

    @Test(arguments: 1...21)
    func `our own chat schema is recognised at every level`(level: Int) throws {
        let connection = try AccountFixture.own(.chat, level: level)
        let status = try SchemaStatus(connection, of: .chat)
        #expect(status.origin == .valise)
        #expect(status.applied == level)
        #expect(status.pending.count == SchemaLineage.chat.migrations.count - level)
        #expect(status.drift?.isClean == true)
        let schema = try ChatSchema(connection)
        #expect((schema.tables[.files] != nil) == (level >= 6))
        #expect((schema.tables[.users] != nil) == true)
        // Reading works wherever the tables are, and finds nobody.
        #expect(try schema.hasNoUsers(connection))
        if level >= 6 {
            let files = try #require(try FileTable(schema, connection))
            #expect(try files.count(connection) == 0)
            var rows = try files.rows(connection)
            #expect(try rows.next() == nil)
            #expect(try schema.newestRows(connection).allSatisfy { $0 == nil })
        } else {
            #expect(try FileTable(schema, connection) == nil)
        }
        try schema.forEachContact(connection) { _ in Issue.record("there is nobody") }
        #expect(try schema.noteFolders(connection).isEmpty)
    }

    @Test(arguments: 1...14)
    func `our own agent schema is recognised at every level`(level: Int) throws {
        let connection = try AccountFixture.own(.agent, level: level)
        let status = try SchemaStatus(connection, of: .agent)
        #expect(status.origin == .valise)
        #expect(status.applied == level)
        let schema = try AgentSchema(connection)
        #expect((schema.tables[.sentFiles] != nil) == (level >= 10))
        #expect(try schema.pathsToSend(connection).isEmpty)
        for table in TransferTable.allCases {
            #expect((schema.recordsPaths(table) == true) == (level >= (table == .sent ? 10 : 9)))
        }
        guard schema.tables[.ratchets] != nil else { return }
        var rows = try schema.connections(connection)
        #expect(try rows.next() == nil)
    }

    @Test func `what is declared of the schemas is what their migrations make`() throws {
        let chat = try ChatSchema(
            AccountFixture.own(.chat, level: SchemaLineage.chat.migrations.count))
        for table in ChatTable.allCases { #expect(chat.tables[table] != nil, "\(table)") }
        let messages = try #require(chat.tables[MessageColumn.table])
        for column in MessageColumn.allCases { #expect(messages.contains(column.rawValue), "\(column)") }
        for time in GrowingColumns.timesOfChatTables {
            #expect(ChatTable.allCases.contains { chat.tables[$0]?.contains(time) == true }, "\(time)")
        }
        #expect(chat.listsUsers)
        let agent = try AgentSchema(
            AccountFixture.own(.agent, level: SchemaLineage.agent.migrations.count))
        for table in AgentTable.allCases {
            let columns = try #require(agent.tables[table], "\(table)")
            let counters = GrowingColumns.counters(ofAgentTable: table.rawValue)
            #expect(columns.isSuperset(of: counters), "\(table)")
            #expect(counters.isEmpty == (table != .connections), "\(table)")
        }
    }

    @Test func `a table of users without ids or names is told from one with both`() throws {
        let both = try ChatSchema(
            AccountFixture.made("CREATE TABLE users (user_id INTEGER, local_display_name TEXT)"))
        #expect(both.namesUsers && both.listsUsers)
        let names = try ChatSchema(AccountFixture.made("CREATE TABLE users (local_display_name TEXT)"))
        #expect(names.namesUsers && !names.listsUsers)
        let ids = try ChatSchema(AccountFixture.made("CREATE TABLE users (user_id INTEGER)"))
        #expect(!ids.namesUsers && !ids.listsUsers)
    }

    @Test func `a database of somebody else's is no account's`() throws {
        let connection = try AccountFixture.made(
            "CREATE TABLE migrations (name TEXT NOT NULL, ts TEXT NOT NULL); CREATE TABLE users (id INTEGER);"
                + "INSERT INTO migrations VALUES ('20010101_theirs', '2001-01-01 00:00:00')")
        #expect(try SchemaStatus(connection, of: .chat).origin == .unknown)
        let schema = try ChatSchema(connection)
        #expect(throws: DatabaseError.self) {
            var rows = try schema.users(connection)
            _ = try rows.next()
        }
    }
}
