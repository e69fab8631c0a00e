import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseCryptography
import ValiseDatabase
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// An account with the tables and columns of the official programs that tell of files, made by hand.
final class OfficialAccount: @unchecked Sendable {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()
    private var count: Int64 = 0

    var out: FilePath { folder.appending("out") }

    /// Chats 1 and 2 are contacts of one name, 1 is a group, 1 the notes.
    private static let chatSchema = """
        CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT) STRICT;
        CREATE TABLE users (user_id INTEGER PRIMARY KEY, contact_id INTEGER, local_display_name TEXT) STRICT;
        CREATE TABLE contact_profiles (contact_profile_id INTEGER PRIMARY KEY, display_name TEXT NOT NULL,
            local_alias TEXT NOT NULL DEFAULT '') STRICT;
        CREATE TABLE contacts (contact_id INTEGER PRIMARY KEY, contact_profile_id INTEGER,
            local_display_name TEXT NOT NULL) STRICT;
        CREATE TABLE group_profiles (group_profile_id INTEGER PRIMARY KEY, display_name TEXT NOT NULL) STRICT;
        CREATE TABLE groups (group_id INTEGER PRIMARY KEY, group_profile_id INTEGER,
            local_display_name TEXT NOT NULL, local_alias TEXT DEFAULT '') STRICT;
        CREATE TABLE group_members (group_member_id INTEGER PRIMARY KEY, group_id INTEGER NOT NULL,
            local_display_name TEXT NOT NULL, contact_profile_id INTEGER, member_profile_id INTEGER) STRICT;
        CREATE TABLE note_folders (note_folder_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL) STRICT;
        CREATE TABLE chat_items (chat_item_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL,
            contact_id INTEGER, group_id INTEGER, note_folder_id INTEGER, group_member_id INTEGER,
            item_sent INTEGER NOT NULL, item_ts TEXT NOT NULL, msg_content_tag TEXT) STRICT;
        CREATE TABLE files (file_id INTEGER PRIMARY KEY, contact_id INTEGER, group_id INTEGER,
            file_name TEXT NOT NULL, file_path TEXT, file_size INTEGER NOT NULL,
            created_at TEXT NOT NULL DEFAULT (datetime('now')),
            updated_at TEXT NOT NULL DEFAULT (datetime('now')), user_id INTEGER NOT NULL,
            ci_file_status TEXT, chat_item_id INTEGER, file_crypto_key BLOB, file_crypto_nonce BLOB,
            note_folder_id INTEGER) STRICT;
        INSERT INTO users VALUES (1, 99, 'me/myself');
        INSERT INTO contact_profiles VALUES (1, 'Same?', ''), (2, 'same?', ''), (3, 'Maria', 'Mary');
        INSERT INTO contacts VALUES (1, 1, 'same_1'), (2, 2, 'same_2');
        INSERT INTO group_profiles VALUES (1, 'con');
        INSERT INTO groups VALUES (1, 1, 'con', '');
        INSERT INTO group_members VALUES (7, 1, 'Maria_1', 1, 3);
        INSERT INTO note_folders VALUES (1, 1);
        """

    private static let agentSchema = """
        CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT) STRICT;
        INSERT INTO migrations VALUES ('m20230223_files', '', NULL), ('m20230401_snd_files', '', NULL);
        CREATE TABLE rcv_files (rcv_file_id INTEGER PRIMARY KEY, prefix_path TEXT NOT NULL, tmp_path TEXT,
            save_path TEXT NOT NULL) STRICT;
        CREATE TABLE rcv_file_chunks (rcv_file_chunk_id INTEGER PRIMARY KEY, tmp_path TEXT) STRICT;
        CREATE TABLE snd_files (snd_file_id INTEGER PRIMARY KEY, path TEXT NOT NULL, prefix_path TEXT) STRICT;
        """

    init() throws {
        folder = try TemporaryFolder("valise-media")
        location = AccountLocation(directory: folder.appending("account"))
        try fileSystem.makeDirectories(location.filesFolder)
        try Connection(location.path(of: .chat), mode: .create, passphrase: .empty()).execute(Self.chatSchema)
        try Connection(location.path(of: .agent), mode: .create, passphrase: .empty())
            .execute(Self.agentSchema)
    }

    func sql(_ text: String, _ values: [Value] = [], in database: AccountDatabase = .chat) throws {
        let connection = try Connection(location.path(of: database), mode: .readWrite, passphrase: .empty())
        try connection.run(text, values)
    }

    /// What a row says besides its name and content.
    struct Traits {
        var path: String?
        var chat: MediaChat? = .contact(1)
        var isEncrypted = false
        var isSent = false
        var member: Int64?
        var status = "rcv_complete"
        var time = "2026-03-01 10:20:30.5"
        var size: Int?
        var isStored = true
    }

    /// Adds a message with a file.
    /// - Returns: the row.
    @discardableResult
    func add(
        _ name: String, _ content: [UInt8], _ change: (inout Traits) -> Void = { _ in }
    ) throws -> Int64 {
        count += 1
        var traits = Traits()
        change(&traits)
        let path = traits.path ?? "stored \(count)"
        var keys: (Value, Value) = (.null, .null)
        var stored = content
        if traits.isEncrypted {
            let key = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: 32)
            let nonce = [UInt8](repeating: UInt8(truncatingIfNeeded: count / 256 + 1), count: 24)
            try SecretBox.sealWithTagAtEnd(&stored, key: key, nonce: nonce)
            keys = (.blob(key), .blob(nonce))
        }
        if traits.isStored {
            let place = path.hasPrefix("/") ? FilePath(path) : location.filesFolder.appending(path)
            try fileSystem.makeDirectories(place.parentFolder)
            try fileSystem.replace(place, with: stored)
        }
        var (contact, group, notes): (Value, Value, Value) = (.null, .null, .null)
        switch traits.chat {
        case .contact(let id): contact = .integer(id)
        case .group(let id): group = .integer(id)
        case .notes(let id): notes = .integer(id)
        case nil: break
        }
        let member = traits.member.map { Value.integer($0) } ?? .null
        try sql(
            "INSERT INTO chat_items VALUES (?, 1, ?, ?, ?, ?, ?, ?, NULL)",
            [
                .integer(count), contact, group, notes, member, .integer(traits.isSent ? 1 : 0),
                .text(traits.time),
            ])
        try sql(
            """
            INSERT INTO files (file_id, contact_id, group_id, note_folder_id, file_name, file_path, file_size,
                user_id, ci_file_status, chat_item_id, file_crypto_key, file_crypto_nonce)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
            """,
            [
                .integer(count), contact, group, notes, .text(name), .text(path),
                .integer(Int64(traits.size ?? content.count)), .text(traits.status), .integer(count), keys.0,
                keys.1,
            ])
        return count
    }

    // MARK: Exporting

    @discardableResult
    func export(
        _ interposer: (any FileInterposer)? = nil, _ change: (inout MediaExportOptions) -> Void = { _ in }
    ) throws -> MediaExportReport {
        var options = MediaExportOptions()
        change(&options)
        return try MediaExport(fileSystem: FileSystem(interposer: interposer)).run(
            location, to: out, passphrase: .empty(), options: options)
    }

    /// The files of the export with their bytes, without the manifest.
    func exported() throws -> [String: [UInt8]] {
        var files = try TemporaryFolder.contents(of: out).compactMapValues(\.self)
        files["manifest.jsonl"] = nil
        return files
    }
}
