import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

@Suite struct SampleAccountTests {
    @Test func sameSeedGivesTheSameRows() throws {
        let first = try TemporaryAccount()
        let second = try TemporaryAccount()
        for database in AccountDatabase.allCases {
            #expect(try first.dump(database) == second.dump(database))
        }
        #expect(first.report == second.report)
    }

    @Test func anotherSeedGivesOtherRows() throws {
        let first = try TemporaryAccount()
        let second = try TemporaryAccount(seed: 2)
        #expect(try first.dump(.chat) != second.dump(.chat))
    }

    @Test(arguments: AccountDatabase.allCases)
    func databasesAreSound(database: AccountDatabase) throws {
        let connection = try TemporaryAccount().open(database)
        #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func everyKindOfContentIsThere() throws {
        let connection = try TemporaryAccount().open(.chat)
        let tags = try connection.rows("SELECT DISTINCT msg_content_tag FROM chat_items").compactMap {
            $0[0].text
        }
        let expected = ["text", "link", "image", "video", "voice", "file", "report", "chat", "hologram"]
        #expect(Set(tags) == Set(expected))
    }

    /// What a reader of chats has to cope with; each must be true of some item.
    private static let conditions = [
        "item_edited = 1", "item_live = 1", "timed_ttl IS NOT NULL", "item_deleted = 2", "item_deleted = 3",
        "item_deleted = 1 AND item_deleted_by_group_member_id IS NULL",
        "item_deleted = 1 AND item_deleted_by_group_member_id IS NOT NULL", "quoted_sent = 0",
        "quoted_sent = 1", "quoted_member_id IS NOT NULL", "fwd_from_tag = 'contact'", "user_mention = 1",
        "group_scope_tag = 'member_support'", "note_folder_id = 1", "user_id = 2", "show_group_as_sender = 1",
        "chat_item_id IN (SELECT chat_item_id FROM chat_item_versions)",
        "shared_msg_id IN (SELECT shared_msg_id FROM chat_item_reactions WHERE group_id IS NOT NULL)",
        "chat_item_id IN (SELECT chat_item_id FROM chat_item_mentions)",
        "chat_item_id IN (SELECT chat_item_id FROM group_snd_item_statuses)",
        "created_by_msg_id IN (SELECT message_id FROM chat_item_messages)",
    ]

    @Test func everyTraitIsThere() throws {
        let account = try TemporaryAccount()
        let connection = try account.open(.chat)
        for condition in Self.conditions {
            let found = try connection.value("SELECT 1 FROM chat_items WHERE \(condition) LIMIT 1")
            #expect(found == 1, "no item with \(condition)")
        }
    }

    @Test func everyEventIsThere() throws {
        let account = try TemporaryAccount(messages: 400)
        let tags = try account.open(.chat).rows("SELECT DISTINCT item_content_tag FROM chat_items")
        let found = Set(tags.compactMap { $0[0].text })
        let expected = [
            "chatBanner", "rcvGroupEvent", "sndGroupEvent", "rcvDirectEvent", "rcvCall", "sndCall",
            "rcvDirectE2EEInfo", "rcvGroupE2EEInfo", "rcvChatFeature", "rcvGroupFeature",
            "rcvIntegrityError", "rcvDecryptionError", "rcvModerated", "rcvBlocked",
        ]
        #expect(Set(expected).subtracting(found).isEmpty)
    }

    @Test func allContentIsJSON() throws {
        let connection = try TemporaryAccount().open(.chat)
        let broken = try connection.rows(
            """
            SELECT item_content, quoted_content FROM chat_items
            WHERE NOT json_valid(item_content) OR NOT json_valid(coalesce(quoted_content, '{}'))
            """)
        #expect(broken.isEmpty)
    }

    @Test func connectionsLeadToTheAgent() throws {
        let account = try TemporaryAccount()
        let agent = try account.open(.agent).rows("SELECT conn_id FROM connections ORDER BY conn_id")
        let chat = try account.open(.chat).rows(
            "SELECT agent_conn_id FROM connections WHERE conn_status = 'ready' ORDER BY agent_conn_id")
        #expect(chat == agent)
    }

    @Test func filesAreWhereTheRowsSay() throws {
        let account = try TemporaryAccount(mediaBytes: 100_000)
        let rows = try account.open(.chat).rows(
            """
            SELECT file_path, file_size, file_crypto_key IS NOT NULL FROM files
            WHERE ci_file_status IN ('rcv_complete', 'snd_complete')
            """)
        var missing = 0
        var encrypted = 0
        for row in rows {
            let path = account.location.filesFolder.appending(try #require(row[0].text))
            guard let attributes = try FileSystem().attributes(of: path) else {
                missing += 1
                continue
            }
            let added: Int64 = row[2] == 1 ? 16 : 0
            encrypted += added > 0 ? 1 : 0
            #expect(attributes.size == (try #require(row[1].integer)) + added)
        }
        #expect(missing == 1)
        #expect(encrypted > 0 && encrypted < rows.count - 1)
        #expect(rows.count - missing == account.report.files)
        #expect(account.report.mediaBytes > 100_000)
    }

    @Test func passphraseEncryptsBoth() throws {
        let passphrase = try SecretBytes(copying: Array("sample".utf8))
        let account = try TemporaryAccount(passphrase: passphrase)
        for database in AccountDatabase.allCases {
            #expect(throws: DatabaseError.self) { _ = try account.open(database) }
        }
    }
}
