import EraDatabases
import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseSampleAccounts
import ValiseSecrets

/// The schemas of the official programs' past, with the rows of a sample in them.
@Suite struct EraDatabaseTests {
    private static func connection(_ era: Era, _ account: TemporaryAccount, mixesClasses: Bool = false) throws
        -> Connection
    {
        let folder = try TemporaryFolder("valise-era")
        defer { withExtendedLifetime(folder) {} }
        let database = try EraDatabase(
            folder.path.appending("\(era.rawValue).db"), era, from: account.location.path(of: .chat),
            mixesClasses: mixesClasses)
        return try Connection(database.path, mode: .readOnly, passphrase: try SecretBytes.empty())
    }

    @Test(arguments: Era.allCases) func `has the columns of its era and rows of the sample`(era: Era) throws {
        let account = try TemporaryAccount(messages: 100, conversations: 1)
        let database = try Self.connection(era, account)
        for table in EraDatabase.tables(in: era) {
            let columns = try database.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
            #expect(columns.compactMap(\.[0].text) == EraDatabase.columns(of: table, in: era), "\(table)")
        }
        let items = try #require(try database.value("SELECT count(*) FROM chat_items")?.integer)
        #expect(items > 500 && items <= account.report.messages)
        #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test func `columns and tables come and go as the migrations say`() {
        #expect(!EraDatabase.columns(of: "chat_items", in: .february2022).contains("shared_msg_id"))
        #expect(EraDatabase.columns(of: "chat_items", in: .july2022).contains("item_edited"))
        #expect(!EraDatabase.columns(of: "chat_items", in: .july2023).contains("note_folder_id"))
        #expect(EraDatabase.columns(of: "chat_items", in: .april2024).contains("fwd_from_tag"))
        #expect(!EraDatabase.columns(of: "chat_items", in: .november2024).contains("msg_content_tag"))
        #expect(EraDatabase.columns(of: "chat_items", in: .june2025).contains("group_scope_tag"))
        #expect(EraDatabase.columns(of: "chat_items", in: .july2026).contains("msg_signed"))
        #expect(EraDatabase.columns(of: "contacts", in: .june2025).contains("via_group"))
        #expect(!EraDatabase.columns(of: "contacts", in: .july2026).contains("via_group"))
        #expect(!EraDatabase.tables(in: .july2022).contains("chat_item_reactions"))
        #expect(EraDatabase.tables(in: .july2023).contains("chat_item_versions"))
    }

    @Test func `old rows may hold bytes in place of text, strict tables may not`() throws {
        let account = try TemporaryAccount(messages: 100)
        let query = "SELECT count(*) FROM chat_items WHERE typeof(item_content) = 'blob'"
        let old = try Self.connection(.november2024, account, mixesClasses: true)
        #expect(try old.value(query) != 0)
        let strict = try Self.connection(.july2026, account, mixesClasses: true)
        #expect(try strict.value(query) == 0)
    }
}
