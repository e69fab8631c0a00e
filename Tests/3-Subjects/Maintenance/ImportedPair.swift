import FaultInjection
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// An archive, and an account that it is imported over.
final class ImportedPair {
    let new: AccountFixture
    let old: AccountFixture
    let fileSystem = FileSystem()
    var archive: FilePath { new.folder.appending("a.zip") }
    var target: AccountLocation { old.location }
    var kept: FilePath { target.directory.appending("former") }

    /// - Parameter prepare: gets the account that becomes the archive, before it is packed.
    init(_ prepare: (AccountLocation) throws -> Void = { _ in }) throws {
        new = try Self.account("new")
        try prepare(new.location)
        _ = try ArchiveExport(.init(compresses: false)).export(
            new.location, to: new.folder.appending("a.zip"))
        old = try Self.account("old")
        try fileSystem.replace(old.location.filesFolder.appending("mine.txt"), with: [9])
    }

    private static func account(_ marker: String) throws -> AccountFixture {
        let fixture = try AccountFixture(marker: marker, inMemory: true)
        let files = fixture.location.filesFolder
        for (name, content) in [
            ("same.jpg", "equal"), ("shared.bin", "of the \(marker) one"), ("only \(marker)", "x"),
        ] {
            try FileSystem().replace(files.appending(name), with: Array(content.utf8))
        }
        try FileSystem().replace(
            fixture.location.wallpapersFolder.appending("wall.jpg"), with: Array(marker.utf8))
        return fixture
    }

    func plan(
        _ options: ArchiveImport.Options = .init(replacesAccount: true, replacesNewer: true),
        withKey: Bool = true,
        to location: AccountLocation? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> ImportPlan {
        try ArchiveImport(options, fileSystem: fileSystem).plan(
            archive, to: location ?? target, passphrase: withKey ? AccountFixture.key() : nil)
    }

    func `import`(
        _ options: ArchiveImport.Options = .init(replacesAccount: true, replacesNewer: true),
        withKey: Bool = true,
        to location: AccountLocation? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> ImportReport {
        try ArchiveImport(options, fileSystem: fileSystem).import(
            archive, to: location ?? target, passphrase: withKey ? AccountFixture.key() : nil)
    }

    // MARK: What tells one state from another

    static func run(_ sql: String, on database: AccountDatabase, of location: AccountLocation) throws {
        let connection = try Connection(
            location.path(of: database), mode: .readWrite, passphrase: AccountFixture.key())
        try connection.execute(sql)
    }

    /// Connections by the letters of their identifiers, with their message counters.
    static func connect(_ counters: [String: Int], in location: AccountLocation) throws {
        for (name, count) in counters {
            try run(
                """
                INSERT INTO connections (conn_id, conn_mode, last_internal_msg_id)
                VALUES (CAST('\(name)' AS BLOB), 'CON', \(count))
                """, on: .agent, of: location)
        }
    }

    /// The states of their ratchets.
    static func turn(_ states: [String: String], in location: AccountLocation) throws {
        for (name, state) in states {
            try run(
                """
                INSERT INTO ratchets (conn_id, ratchet_state)
                VALUES (CAST('\(name)' AS BLOB), CAST('\(state)' AS BLOB))
                """, on: .agent, of: location)
        }
    }

    static func say(at time: String, in location: AccountLocation) throws {
        try run(
            "INSERT INTO messages (msg_sent, chat_msg_event, created_at) VALUES (1, 'x.msg.new', '\(time)')",
            on: .chat, of: location)
    }

    static func makeProfile(in location: AccountLocation) throws {
        try run(
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO users (contact_id, local_display_name, agent_user_id) VALUES (1, 'me', 1)
            """, on: .chat, of: location)
    }

    static func setTimes(_ seconds: Int64, of location: AccountLocation) throws {
        for database in AccountDatabase.allCases {
            try FileSystem().openForUpdating(location.path(of: database)).setModificationTime(seconds)
        }
    }

    /// Everything that the system tells of a tree.
    static func tree(_ folder: FilePath) throws -> [String: FileAttributes] {
        let fileSystem = FileSystem()
        var found = ["": try fileSystem.attributes(of: folder)].compactMapValues(\.self)
        for name in try TemporaryFolder.contents(of: folder).keys {
            found[name] = try fileSystem.attributes(of: folder.appending(name))
        }
        return found
    }
}
