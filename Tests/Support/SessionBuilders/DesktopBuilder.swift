package import SystemPackage
import ValiseCryptography
package import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// Writes a profile of Session Desktop: with a schema of its own, made of the facts in the sheet on Session's formats, section 4.
package struct DesktopBuilder: Sendable {
    /// How the database is encrypted.
    package enum Lock: Sendable {
        /// The key is in `config.json`.
        case key
        case password(String)
    }

    /// Of each line of schema versions and each cipher: the current one, one without the columns that came later, one of the time
    /// before the second line of versions grew, and one of SQLCipher 3.
    package static let eras = [
        DesktopBuilder(), DesktopBuilder(version: 30, hasNewColumns: false),
        DesktopBuilder(version: 1, userVersion: 8, hasNewColumns: false),
        DesktopBuilder(isOlderCipher: true, version: 20, hasNewColumns: false),
    ]

    package static let key = String(repeating: "0f1e2d3c", count: 8)
    package static let attachmentKey = String(repeating: "a1b2c3d4", count: 8)

    package var lock = Lock.key
    /// Of SQLCipher 3, which old programs had.
    package var isOlderCipher = false
    package var version: Int64 = 54
    package var userVersion: Int64 = 11
    /// Columns that only newer schemas have.
    package var hasNewColumns = true
    /// Statements that are run at the end.
    package var more: [String] = []
    /// What a file of an attachment becomes.
    package var seal: @Sendable ([UInt8]) throws -> [UInt8] = { [UInt8](repeating: 9, count: 24) + $0 }

    package init(
        lock: Lock = .key, isOlderCipher: Bool = false, version: Int64 = 54, userVersion: Int64 = 11,
        hasNewColumns: Bool = true, more: [String] = []
    ) {
        (self.lock, self.isOlderCipher) = (lock, isOlderCipher)
        (self.version, self.userVersion) = (version, userVersion)
        (self.hasNewColumns, self.more) = (hasNewColumns, more)
    }

    /// As the app encrypts attachments, but for the header, which is the same each time.
    package static let encryption: @Sendable ([UInt8]) throws -> [UInt8] = { content in
        let key = try SecretSeed { $0.copyBytes(from: Hexadecimal.decode(attachmentKey) ?? []) }
        let header = [UInt8](repeating: 7, count: SecretStream.headerByteCount)
        var message = try SecretStreamMessage(key: key, header: header)
        let tag = message.hide(.final)
        var hidden = content
        hidden.withUnsafeMutableBytes { message.encrypt($0) }
        return header + [tag] + hidden + message.finish()
    }

    package static func attachments(_ folder: FilePath) -> FilePath {
        folder.appending("attachments.noindex")
    }
    package static func database(_ folder: FilePath) -> FilePath { folder.appending("sql/db.sqlite") }

    package var passphrase: String {
        switch lock {
        case .key: "x'\(Self.key)'"
        case .password(let text): text.allSatisfy(\.isHexDigit) ? "x'\(text)'" : text
        }
    }

    /// Writes all, and leaves no log.
    package func write(_ story: Story, to folder: FilePath) throws {
        try writeConfiguration(folder)
        _ = try open(folder, story)
        for message in story.messages {
            for file in message.storedFiles where file.isThere {
                try TestFiles.write(
                    try seal(file.content),
                    to: Self.attachments(folder).appending(Self.path(of: file)))
            }
        }
    }

    package func writeConfiguration(_ folder: FilePath) throws {
        let hasPassword = if case .password = lock { true } else { false }
        let key = hasPassword ? "" : "\"key\": \"\(Self.key)\", "
        try TestFiles.write(
            "{\(key)\"dbHasPassword\": \(hasPassword), \"mediaPermissions\": true}",
            to: folder.appending("config.json"))
    }

    package static func path(of file: StoryMessage.File) -> String {
        let name = Hexadecimal.encode(Array(file.address.utf8.suffix(20)))
        return "\(name.prefix(2))/\(name)"
    }

    /// A connection to the new database, in the mode of a log.
    package func open(_ folder: FilePath, _ story: Story) throws -> Connection {
        let path = Self.database(folder)
        try FileSystem().makeDirectories(path.removingLastComponent())
        let connection = try Connection(
            path, mode: .create, passphrase: SecretBytes(copying: Array(passphrase.utf8)),
            cipher: isOlderCipher ? ["cipher_compatibility = 3"] : [])
        _ = try connection.value("PRAGMA journal_mode = WAL")
        try connection.transaction {
            for statement in schema + more { try connection.execute(statement) }
            try DesktopRows(story, hasNewColumns: hasNewColumns).write(connection)
        }
        return connection
    }

    private var schema: [String] {
        let more =
            hasNewColumns
            ? ", serverTimestamp INTEGER, serverId INTEGER, messageHash TEXT, expirationStartTimestamp INTEGER"
            : ""
        return [
            "PRAGMA user_version = \(userVersion)",
            """
            CREATE TABLE conversations (id TEXT PRIMARY KEY NOT NULL, active_at INTEGER, type TEXT, members TEXT,
                groupAdmins TEXT, displayNameInProfile TEXT, nickname TEXT, isApproved INTEGER, didApproveMe INTEGER,
                priority INTEGER, markedAsUnread INTEGER, expireTimer INTEGER)
            """,
            """
            CREATE TABLE messages (id TEXT PRIMARY KEY NOT NULL, json TEXT, conversationId TEXT, type TEXT, source TEXT,
                body TEXT, sent_at INTEGER, received_at INTEGER, expires_at INTEGER, expireTimer INTEGER, unread INTEGER\(more))
            """,
            "CREATE INDEX messages_conversation ON messages (conversationId, sent_at)",
            "CREATE INDEX messages_unread ON messages (unread, conversationId)",
            "CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, json TEXT)",
            "CREATE TABLE configDump (variant TEXT NOT NULL, publicKey TEXT NOT NULL, data BLOB)",
            "CREATE TABLE seenMessages (hash TEXT PRIMARY KEY NOT NULL, conversationId TEXT, expiresAt INTEGER)",
            "CREATE TABLE lastHashes (id TEXT, snode TEXT, hash TEXT, expiresAt INTEGER)",
            "CREATE TABLE loki_schema (id INTEGER PRIMARY KEY, version INTEGER)",
            "INSERT INTO loki_schema (version) VALUES (1), (\(version)), (1)",
        ]
    }
}
