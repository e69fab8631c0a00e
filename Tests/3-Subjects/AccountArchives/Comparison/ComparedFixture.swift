import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSampleAccounts
import ValiseSecrets

/// Copies of one sample account under raw keys, which need no derivation and so are fast.
final class ComparedFixture {
    let folder: TemporaryFolder
    let fileSystem = FileSystem()

    static func key(_ digits: String = "5a") throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: digits, count: 32) + "'").utf8))
    }

    private static let template = Result {
        let folder = try TemporaryFolder.untilExit("valise-diff-template")
        let location = AccountLocation(directory: folder.appending("account"))
        try SampleAccount(.init(messages: 150)).build(location, passphrase: key())
        return location
    }

    init() throws {
        folder = try TemporaryFolder("valise-diff", inMemory: true)
    }

    /// A copy of the sample account.
    func account(_ name: String) throws -> AccountLocation {
        let location = AccountLocation(directory: folder.appending(name))
        try TemporaryFolder.copyTree(Self.template.get().directory, to: location.directory)
        return location
    }

    /// An account with nothing but the tables of both scripts, and no media.
    func bare(
        _ name: String, chat: String, agent: String = "CREATE TABLE connections (conn_id BLOB PRIMARY KEY)"
    )
        throws -> AccountLocation
    {
        let location = AccountLocation(directory: folder.appending(name))
        try fileSystem.makeDirectory(location.directory)
        for (database, script) in [(AccountDatabase.chat, chat), (.agent, agent)] {
            try Connection(location.path(of: database), mode: .create, passphrase: Self.key()).execute(script)
        }
        return location
    }

    func connect(_ location: AccountLocation, _ database: AccountDatabase = .chat) throws -> Connection {
        try Connection(location.path(of: database), mode: .readWrite, passphrase: Self.key())
    }

    func run(_ location: AccountLocation, _ sql: String) throws {
        try connect(location).execute(sql)
    }

    func archive(_ location: AccountLocation, compresses: Bool = true) throws -> FilePath {
        let path = location.directory.appendingSuffix(compresses ? "-deflated.zip" : "-stored.zip")
        _ = try ArchiveExport(.init(compresses: compresses)).export(location, to: path)
        return path
    }

    func compare(
        _ first: FilePath, _ second: FilePath, _ digits: String = "5a", other: String = "5a",
        progress: ProgressHandler = { _ in }
    ) throws -> ComparisonReport {
        let left = try AccountReader(AccountPlace.find(first))
        let right = first == second ? left : try AccountReader(AccountPlace.find(second))
        return try AccountComparison().compare(
            left, right, passphrase: Self.key(digits), otherPassphrase: Self.key(other), progress: progress)
    }

    func compare(_ first: AccountLocation, _ second: AccountLocation) throws -> ComparisonReport {
        try compare(first.directory, second.directory)
    }

    /// Lets an account go on as programs do: the agent has counted a message more, and the chat has a newer time.
    func proceed(_ location: AccountLocation, at time: String = "2031-01-01 00:00:00") throws {
        try connect(location, .agent).execute(
            "UPDATE connections SET last_internal_msg_id = last_internal_msg_id + 1")
        try touch(location, at: time)
    }

    func touch(_ location: AccountLocation, at time: String) throws {
        try connect(location).run("UPDATE contacts SET updated_at = ? WHERE contact_id = 2", [.text(time)])
    }

    /// Gives an account another key.
    func rekey(_ location: AccountLocation, to digits: String) throws {
        _ = try AccountRekey().run(
            location, config: DBEncryptionConfig(currentKey: Self.key(), newKey: Self.key(digits)))
    }

    /// Adds messages to the first contact; returns their ids.
    @discardableResult
    func addMessages(_ count: Int, to location: AccountLocation, at time: String) throws -> [Int64] {
        let connection = try connect(location)
        return try (0..<count).map { number in
            try connection.run(
                """
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_content, item_text,
                    item_status, created_at)
                SELECT user_id, contact_id, 1, ?, '{}', ?, 'snd_new', ? FROM contacts
                ORDER BY contact_id LIMIT 1
                """, [.text(time), .text("new \(number)"), .text(time)])
            return connection.lastInsertedRow
        }
    }
}

extension ComparisonReport {
    func database(_ database: AccountDatabase) throws -> DatabaseComparison {
        try #require(databases.first { $0.database == database })
    }

    func table(_ name: String, of database: AccountDatabase = .chat) throws -> TableComparison {
        try #require(self.database(database).tables.items.first { $0.name == name })
    }

    func entries(_ role: EntryRole) throws -> EntryComparison {
        try #require(entries.first { $0.role == role })
    }

    /// The tables of the chat database that differ.
    func differing() throws -> Set<String> {
        Set(try database(.chat).tables.items.filter { !$0.isSame }.map(\.name))
    }
}
