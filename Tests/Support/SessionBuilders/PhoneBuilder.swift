package import SystemPackage
import ValiseCryptography
package import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// Writes a folder of Session iOS: with a schema of its own, made of the facts in the sheet on Session's formats, section 1.
package struct PhoneBuilder {
    /// 48 bytes: key and salt.
    package static let key = [UInt8]((0..<48).map { UInt8($0) * 5 })

    package var era = PhoneEra.current
    /// How many migrations the database has seen, where it is another number than the era's.
    package var migrations: Int?
    /// Columns and tables that only some versions have.
    package var hasAllTables = true
    package var more: [String] = []

    package init(
        era: PhoneEra = .current, migrations: Int? = nil, hasAllTables: Bool = true, more: [String] = []
    ) {
        (self.era, self.migrations) = (era, migrations)
        (self.hasAllTables, self.more) = (hasAllTables, more)
    }

    package static func database(_ folder: FilePath) -> FilePath {
        folder.appending("database/Session.sqlite")
    }

    /// Writes all, and leaves no log.
    package func write(_ story: Story, to folder: FilePath) throws {
        _ = try open(folder, story)
        for message in story.messages {
            for file in message.storedFiles where file.isThere {
                try TestFiles.write(
                    file.content, to: folder.appending("Attachments").appending(try Self.name(of: file)))
            }
        }
    }

    package static func name(of file: StoryMessage.File) throws -> String {
        var hash = try BLAKE2b(size: 32)
        hash.update(Array(file.address.utf8))
        return Hexadecimal.encode(hash.finalize())
    }

    /// A connection to the new database, in the mode of a log.
    package func open(_ folder: FilePath, _ story: Story) throws -> Connection {
        let path = Self.database(folder)
        try FileSystem().makeDirectories(path.removingLastComponent())
        let connection = try Connection(
            path, mode: .create,
            passphrase: SecretBytes(copying: Array("x'\(Hexadecimal.encode(Self.key))'".utf8)),
            cipher: ["cipher_plaintext_header_size = 32"])
        _ = try connection.value("PRAGMA journal_mode = WAL")
        try connection.transaction {
            for statement in Self.schema + (hasAllTables ? others : []) + more {
                try connection.execute(statement)
            }
            for name in era.migrations(migrations) {
                try connection.run("INSERT INTO grdb_migrations VALUES (?)", [.text(name)])
            }
            try PhoneRows(story, era, hasAllTables: hasAllTables).write(connection)
        }
        return connection
    }

    private static let schema = [
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        """
        CREATE TABLE thread (id TEXT PRIMARY KEY NOT NULL, variant INTEGER NOT NULL, creationDateTimestamp DOUBLE NOT NULL,
            shouldBeVisible BOOLEAN NOT NULL, markedAsUnread BOOLEAN)
        """,
        """
        CREATE TABLE interaction (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, serverHash TEXT, threadId TEXT NOT NULL,
            authorId TEXT NOT NULL, variant INTEGER NOT NULL, body TEXT, timestampMs INTEGER NOT NULL,
            receivedAtTimestampMs INTEGER NOT NULL, wasRead BOOLEAN NOT NULL, expiresInSeconds DOUBLE,
            expiresStartedAtMs DOUBLE, linkPreviewUrl TEXT, openGroupServerMessageId INTEGER, state INTEGER,
            recipientReadTimestampMs INTEGER, mostRecentFailureText TEXT)
        """,
        "CREATE INDEX interaction_thread ON interaction (threadId, timestampMs)",
        "CREATE INDEX interaction_wasRead ON interaction (wasRead, threadId)",
    ]

    private var others: [String] {
        Self.others + era.jobTables + (era.hasDeduplication ? [Self.deduplication] : [])
    }

    private static let others = [
        "CREATE TABLE identity (variant TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL)",
        "CREATE TABLE profile (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, nickname TEXT)",
        """
        CREATE TABLE contact (id TEXT PRIMARY KEY NOT NULL, isApproved BOOLEAN NOT NULL, isBlocked BOOLEAN NOT NULL,
            didApproveMe BOOLEAN NOT NULL)
        """,
        "CREATE TABLE closedGroup (threadId TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, groupDescription TEXT)",
        "CREATE TABLE groupMember (groupId TEXT NOT NULL, profileId TEXT NOT NULL, role INTEGER NOT NULL)",
        """
        CREATE TABLE openGroup (threadId TEXT PRIMARY KEY NOT NULL, server TEXT, roomToken TEXT, name TEXT,
            roomDescription TEXT)
        """,
        """
        CREATE TABLE disappearingMessagesConfiguration (threadId TEXT PRIMARY KEY NOT NULL, isEnabled BOOLEAN NOT NULL,
            durationSeconds DOUBLE NOT NULL)
        """,
        """
        CREATE TABLE attachment (id TEXT PRIMARY KEY NOT NULL, serverId TEXT, variant INTEGER NOT NULL,
            state INTEGER NOT NULL, contentType TEXT NOT NULL, byteCount INTEGER NOT NULL, creationTimestamp DOUBLE,
            sourceFilename TEXT, downloadUrl TEXT, width INTEGER, height INTEGER, duration DOUBLE,
            isVisualMedia BOOLEAN, isValid BOOLEAN, encryptionKey BLOB, digest BLOB)
        """,
        """
        CREATE TABLE interactionAttachment (albumIndex INTEGER NOT NULL, interactionId INTEGER NOT NULL,
            attachmentId TEXT NOT NULL)
        """,
        "CREATE INDEX interactionAttachment_interaction ON interactionAttachment (interactionId)",
        """
        CREATE TABLE quote (interactionId INTEGER PRIMARY KEY NOT NULL, authorId TEXT NOT NULL,
            timestampMs INTEGER NOT NULL, body TEXT, attachmentId TEXT)
        """,
        """
        CREATE TABLE reaction (interactionId INTEGER NOT NULL, authorId TEXT NOT NULL, emoji TEXT NOT NULL,
            count INTEGER NOT NULL, sortId INTEGER NOT NULL, timestampMs INTEGER)
        """,
        "CREATE INDEX reaction_interaction ON reaction (interactionId)",
        """
        CREATE TABLE linkPreview (url TEXT NOT NULL, timestamp DOUBLE NOT NULL, variant INTEGER NOT NULL, title TEXT,
            attachmentId TEXT, PRIMARY KEY (url, timestamp))
        """,
        "CREATE TABLE configDump (variant TEXT NOT NULL, publicKey TEXT NOT NULL, data BLOB NOT NULL, timestampMs INTEGER)",
    ]

    private static let deduplication = """
        CREATE TABLE messageDeduplication (threadId TEXT NOT NULL, uniqueIdentifier TEXT NOT NULL,
            expirationTimestampSeconds INTEGER, shouldDeleteWhenDeletingThread BOOLEAN NOT NULL)
        """
}
