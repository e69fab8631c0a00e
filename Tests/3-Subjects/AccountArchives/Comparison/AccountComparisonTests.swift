import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// What two accounts are to each other.
struct AccountComparisonTests {
    private let fixture: ComparedFixture

    init() throws {
        fixture = try ComparedFixture()
    }

    // MARK: The same

    @Test(arguments: [true, false])
    func `an archive and its account are the same, and neither is touched`(compresses: Bool) throws {
        let account = try fixture.account("a")
        let archive = try fixture.archive(account, compresses: compresses)
        let before = try TemporaryFolder.contents(of: fixture.folder.path)
        let report = try fixture.compare(archive, account.directory)
        #expect(report.isSame)
        #expect(report.relation == .identical)
        #expect(report.identity == .checksum)
        #expect(report.first.isArchive && !report.second.isArchive)
        #expect(report.databases.map(\.state) == [.identical, .identical])
        let media = try report.entries(.media)
        #expect(media.identical == media.first.count && media.first.count > 20)
        #expect(try report.entries(.wallpaper).identical == 1)
        #expect(try TemporaryFolder.contents(of: fixture.folder.path) == before)
    }

    @Test func `rows that are the same under another passphrase are the same account`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.rekey(second, to: "77")
        let archive = try fixture.archive(second)
        for other in [second.directory, archive] {
            let report = try fixture.compare(first.directory, other, other: "77")
            #expect(report.isSame)
            #expect(report.relation == .identical)
            #expect(report.databases.map(\.state) == [.compared, .compared])
            let messages = try #require(report.messages)
            #expect(messages.shared == messages.first.count && messages.shared >= 150)
        }
    }

    @Test func `an account of Android has the names of an archive`() throws {
        let account = try fixture.account("a")
        let directory = fixture.folder.appending("android")
        let android = AccountLocation(directory: directory, prefix: "files", style: .android)
        try fixture.fileSystem.makeDirectories(directory.appending("files"))
        for database in AccountDatabase.allCases {
            try fixture.fileSystem.copy(account.path(of: database), to: android.path(of: database))
        }
        try TemporaryFolder.copyTree(account.filesFolder, to: android.filesFolder)
        try fixture.fileSystem.makeDirectories(android.wallpapersFolder.removingLastComponent())
        try TemporaryFolder.copyTree(account.wallpapersFolder, to: android.wallpapersFolder)
        let report = try fixture.compare(fixture.archive(account), directory)
        #expect(report.isSame)
        #expect(try report.entries(.media).onlyInSecond.isEmpty)
        #expect(try fixture.compare(account.directory, directory).identity == .bytes)
    }

    @Test func `a journal that a crash left is folded in on a copy, and the account stays as it is`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        let path = second.path(of: .chat)
        let saved = fixture.folder.appending("torn")
        do {
            let connection = try fixture.connect(second)
            try connection.execute(
                "PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE chat_items SET item_text = hex(randomblob(900))"
            )
            for suffix in ["", "-journal"] {
                try fixture.fileSystem.copy(path.appendingSuffix(suffix), to: saved.appendingSuffix(suffix))
            }
        }
        for suffix in ["", "-journal"] {
            try fixture.fileSystem.rename(saved.appendingSuffix(suffix), to: path.appendingSuffix(suffix))
        }
        let before = try TemporaryFolder.contents(of: second.directory)
        let report = try fixture.compare(first, second)
        #expect(report.relation == .identical)
        #expect(report.second.folded == [.chat])
        #expect(try TemporaryFolder.contents(of: second.directory) == before)
        #expect(throws: ComparisonError.self) {
            try AccountComparison().compare(
                AccountReader(first), AccountReader(second), passphrase: nil, otherPassphrase: nil)
        }
    }

    // MARK: Messages

    @Test func `messages that were added make the second the continuation of the first`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        let ids = try fixture.addMessages(12, to: second, at: "2031-01-01 00:00:00")
        try fixture.proceed(second)
        let archive = try fixture.archive(first)
        let report = try fixture.compare(archive, second.directory)
        #expect(report.relation == .secondContinues)
        #expect(report.later == .second && report.evidence.connectionsAheadInSecond > 0)
        #expect(!report.isSame)
        #expect(try report.differing() == ["chat_items", "contacts"])
        let table = try report.table("chat_items")
        #expect(table.onlyInSecond == 12 && table.onlyInFirst == 0 && table.changed == 0)
        #expect(table.secondRows == table.firstRows + 12)
        #expect(table.idsOnlyInSecond.items.map { [$0.first, $0.last] } == [[ids[0], ids[11]]])
        let messages = try #require(report.messages)
        #expect(messages.second.only == 12 && messages.newerInSecond == 12)
        #expect(messages.second.newest == "2031-01-01 00:00:00")
        #expect(messages.chats.count == 1)
        let chat = try #require(messages.chats.items.first)
        #expect(chat.kind == .contact && chat.name?.isEmpty == false)
        #expect(chat.second.lowestOnly == ids[0] && chat.second.highestOnly == ids[11])
        #expect(try fixture.compare(second.directory, archive).relation == .firstContinues)
    }

    @Test func `messages that are gone from the later one do not make two branches`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.run(second, "DELETE FROM chat_items WHERE chat_item_id IN (7, 9)")
        #expect(try fixture.compare(first, second).relation == .firstHasMore)
        try fixture.addMessages(3, to: second, at: "2031-01-01 00:00:00")
        let report = try fixture.compare(first, second)
        #expect(report.relation == .secondContinues)
        #expect(report.messages?.first.only == 2 && report.messages?.newerInFirst == 0)
    }

    @Test func `two that went on from one backup have diverged, also where their ids are the same`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.addMessages(5, to: first, at: "2031-01-01 00:00:00")
        try fixture.addMessages(3, to: second, at: "2032-01-01 00:00:00")
        let report = try fixture.compare(first, second)
        #expect(report.relation == .diverged)
        let messages = try #require(report.messages)
        #expect(messages.reusedIDs == 3)
        #expect(messages.first.only == 5 && messages.second.only == 3)
        #expect(messages.changed == 0)
        // As rows, those of the same id are changed.
        #expect(try report.table("chat_items").changed == 3)
    }

    @Test func `messages that were edited or read are the same messages, changed`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.run(
            second, "UPDATE chat_items SET item_text = 'edited', item_edited = 1 WHERE chat_item_id < 4")
        let report = try fixture.compare(first, second)
        #expect(report.relation == .changedMessages)
        #expect(report.messages?.changed == 3 && report.messages?.first.only == 0)
        #expect(
            try report.table("chat_items").idsChanged.items.map { [$0.first, $0.last, Int64($0.rows)] } == [
                [1, 3, 3]
            ])
    }

    @Test func `rows that differ elsewhere leave the messages the same`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.run(second, "UPDATE contacts SET chat_ts = '2040-01-01 00:00:00' WHERE contact_id = 2")
        let report = try fixture.compare(first, second)
        #expect(report.relation == .sameMessages)
        #expect(try report.differing() == ["contacts"])
        #expect(try report.table("contacts").idsChanged.items.map(\.first) == [2])
    }

    @Test func `accounts of two people are two accounts`() throws {
        let (first, second) = (
            AccountLocation(directory: fixture.folder.appending("one")),
            AccountLocation(directory: fixture.folder.appending("two"))
        )
        for (location, name) in [(first, "alice"), (second, "bob")] {
            try AccountCreation().create(location, passphrase: ComparedFixture.key())
            try fixture.run(
                location,
                """
                BEGIN;
                INSERT INTO users (user_id, contact_id, local_display_name, agent_user_id, created_at)
                    VALUES (1, 1, '\(name)', 1, '2026-01-0\(name.count)');
                INSERT INTO contact_profiles (contact_profile_id, display_name) VALUES (1, '\(name)');
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, '\(name)', '\(name)');
                INSERT INTO contacts (contact_id, contact_profile_id, user_id, local_display_name)
                    VALUES (1, 1, 1, '\(name)');
                COMMIT
                """)
        }
        let report = try fixture.compare(first, second)
        #expect(report.relation == .differentAccounts)
        #expect(report.first.users.map(\.displayName) == ["alice"])
        #expect(report.second.users.map(\.displayName) == ["bob"])
    }

    // MARK: Passphrases, schema, damage

    @Test func `without passphrases the bytes are compared, and what was not compared is said`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.addMessages(1, to: second, at: "2031-01-01 00:00:00")
        let report = try AccountComparison().compare(
            AccountReader(first), AccountReader(second), passphrase: nil, otherPassphrase: nil)
        #expect(report.relation == .unknown)
        #expect(try report.database(.chat).state == .notCompared)
        #expect(try report.database(.chat).reason?.contains("no passphrase") == true)
        #expect(try report.database(.agent).state == .identical)
        #expect(report.messages == nil && !report.mediaLookedInto && !report.isSame)
    }

    @Test func `a wrong passphrase is told, of either side`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.rekey(second, to: "77")
        for keys in [("77", "77"), ("5a", "5a"), ("00", "77")] {
            let error = #expect(throws: ComparisonError.self) {
                try fixture.compare(first.directory, second.directory, keys.0, other: keys.1)
            }
            #expect(error?.code == .wrongPassphrase)
        }
    }

    @Test func `of an older schema, migrations, tables and columns that it lacks are named`() throws {
        let names = try MigrationNames.ofChat()
        let (old, new) = (
            AccountLocation(directory: fixture.folder.appending("old")),
            AccountLocation(directory: fixture.folder.appending("new"))
        )
        try AccountCreation().create(
            old, passphrase: ComparedFixture.key(), schema: [.chat: names[7]])
        try AccountCreation().create(new, passphrase: ComparedFixture.key())
        let report = try fixture.compare(old, new)
        let chat = try report.database(.chat)
        let schema = try #require(chat.schema)
        #expect(schema.migrationsOnlyInSecond.items == Array(names[8...]))
        #expect(schema.migrationsOnlyInFirst.isEmpty)
        #expect(schema.firstMigration == names[7] && schema.secondMigration == names.last)
        #expect(chat.tablesOnlyInSecond.items.map(\.name).contains("chat_item_mentions"))
        #expect(chat.tablesOnlyInFirst.isEmpty)
        #expect(try report.table("chat_items").columnsOnlyInSecond.contains("user_mention"))
        #expect(try report.table("migrations").onlyInSecond == names.count - 8)
    }

    @Test func `a damaged page is told`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        let path = second.path(of: .chat)
        var bytes = try fixture.fileSystem.contents(of: path, limit: 1 << 26)
        for page in 20..<bytes.count / 4096 { bytes[page * 4096 + 100] ^= 1 }
        try fixture.fileSystem.replace(path, with: bytes)
        let error = #expect(throws: DatabaseError.self) { try fixture.compare(first, second) }
        #expect(error?.code == .damaged)
    }

    @Test func `an interruption ends it`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.addMessages(1, to: second, at: "2031-01-01 00:00:00")
        for activity in ["comparing files", "opening", "comparing the table chat_items"] {
            #expect(throws: Interruption.self) {
                _ = try fixture.compare(first.directory, second.directory) {
                    if $0.activity.hasPrefix(activity) { throw Interruption() }
                }
            }
        }
    }

    @Test func `the report is JSON that is read back the same`() throws {
        let (first, second) = (try fixture.account("a"), try fixture.account("b"))
        try fixture.addMessages(2, to: second, at: "2031-01-01 00:00:00")
        let report = try fixture.compare(first, second)
        #expect(try JSONText.decode(ComparisonReport.self, from: JSONText.encode(report)) == report)
    }
}

/// The names of our own migrations, as a new database has them.
private enum MigrationNames {
    static func ofChat() throws -> [String] {
        let folder = try TemporaryFolder(inMemory: true)
        let location = AccountLocation(directory: folder.appending("names"))
        try AccountCreation().create(location, passphrase: ComparedFixture.key())
        return try Connection(location.path(of: .chat), mode: .readOnly, passphrase: ComparedFixture.key())
            .rows("SELECT name FROM migrations ORDER BY name").compactMap { $0[0].text }
    }
}
