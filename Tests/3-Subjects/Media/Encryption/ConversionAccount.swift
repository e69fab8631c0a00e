import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseCryptography
import ValiseDatabase
import ValiseFiles
import ValiseSecrets

/// An account with nothing but the official names of tables and columns (SimpleX's data model, §7.2), so that nothing
/// of our own schema is needed to deal with its media.
final class ConversionAccount {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    /// A raw key, which needs no derivation and so is fast.
    static let passphrase = "x'" + String(repeating: "5a", count: 32) + "'"

    static func key() throws -> SecretBytes { try SecretBytes(copying: Array(passphrase.utf8)) }

    private static let chatSchema = """
        CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT);
        INSERT INTO migrations VALUES ('20220101_initial', '2022-01-01 00:00:00', NULL);
        CREATE TABLE users (user_id INTEGER PRIMARY KEY, local_display_name TEXT NOT NULL);
        CREATE TABLE contact_profiles (contact_profile_id INTEGER PRIMARY KEY, display_name TEXT, local_alias TEXT);
        CREATE TABLE contacts (contact_id INTEGER PRIMARY KEY, contact_profile_id INTEGER,
            local_display_name TEXT, user_id INTEGER);
        CREATE TABLE group_profiles (group_profile_id INTEGER PRIMARY KEY, display_name TEXT);
        CREATE TABLE groups (group_id INTEGER PRIMARY KEY, group_profile_id INTEGER, local_display_name TEXT,
            user_id INTEGER);
        CREATE TABLE note_folders (note_folder_id INTEGER PRIMARY KEY, user_id INTEGER);
        CREATE TABLE group_members (group_member_id INTEGER PRIMARY KEY, local_display_name TEXT,
            contact_profile_id INTEGER, member_profile_id INTEGER);
        CREATE TABLE chat_items (chat_item_id INTEGER PRIMARY KEY, user_id INTEGER, contact_id INTEGER,
            group_id INTEGER, note_folder_id INTEGER, group_member_id INTEGER, item_sent INTEGER, item_ts TEXT,
            msg_content_tag TEXT);
        CREATE TABLE files (file_id INTEGER PRIMARY KEY, contact_id INTEGER, group_id INTEGER,
            note_folder_id INTEGER, user_id INTEGER, chat_item_id INTEGER, file_name TEXT NOT NULL,
            file_path TEXT, file_size INTEGER NOT NULL, chunk_size INTEGER NOT NULL DEFAULT 0, cancelled INTEGER,
            ci_file_status TEXT, protocol TEXT NOT NULL DEFAULT 'xftp', file_crypto_key BLOB,
            file_crypto_nonce BLOB, created_at TEXT DEFAULT '2026-01-01 00:00:00', updated_at TEXT);
        INSERT INTO users VALUES (1, 'alice');
        INSERT INTO contact_profiles VALUES (1, 'Bob', ''), (2, 'Carol', 'Sister');
        INSERT INTO contacts VALUES (1, 1, 'Bob', 1), (2, 2, 'Carol', 1);
        INSERT INTO group_profiles VALUES (1, 'Friends'); INSERT INTO groups VALUES (1, 1, 'Friends', 1);
        INSERT INTO note_folders VALUES (1, 1);
        INSERT INTO group_members VALUES (1, 'Dan', 1, NULL);
        """

    private static let agentSchema = """
        CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, ts TEXT NOT NULL, down TEXT);
        CREATE TABLE snd_files (snd_file_id INTEGER PRIMARY KEY, path TEXT NOT NULL, prefix_path TEXT,
            status TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE rcv_files (rcv_file_id INTEGER PRIMARY KEY, prefix_path TEXT NOT NULL, tmp_path TEXT,
            save_path TEXT NOT NULL, status TEXT NOT NULL);
        """

    init(isEncrypted: Bool = true) throws {
        folder = try TemporaryFolder("valise-media", inMemory: true)
        location = AccountLocation(directory: folder.appending("account"))
        try fileSystem.makeDirectory(location.directory)
        try fileSystem.makeDirectories(location.filesFolder)
        for (database, schema) in [(AccountDatabase.chat, Self.chatSchema), (.agent, Self.agentSchema)] {
            let key = try isEncrypted ? Self.key() : SecretBytes.empty()
            try Connection(location.path(of: database), mode: .create, passphrase: key).execute(schema)
        }
    }

    func connection(_ database: AccountDatabase = .chat) throws -> Connection {
        let plain = try DatabaseFile(location.path(of: database), fileSystem: fileSystem).form == .unencrypted
        return try Connection(
            location.path(of: database), mode: .readWrite,
            passphrase: plain ? SecretBytes.empty() : Self.key())
    }

    static func content(_ seed: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 167 &+ $0 / 251) }
    }

    /// Adds a row and its file.
    ///
    /// - Parameters:
    ///   - path: as the row has it; nil for the name.
    ///   - place: where the file is put; nil for the path, below the files folder.
    ///   - chat: columns of the chat, such as `contact_id`.
    @discardableResult
    func add(
        _ name: String, _ content: [UInt8], path: String? = nil, at place: FilePath? = nil,
        encrypted: Bool = false, status: String = "rcv_complete", chat: String = "contact_id",
        chatID: Int64 = 1,
        time: String = "2026-03-01 12:00:00.5", tag: String = "file", writesFile: Bool = true
    ) throws -> Int64 {
        let stored = path ?? name
        let target = place ?? location.filesFolder.appending(stored)
        let (key, nonce) = (
            [UInt8](repeating: 7, count: 32), (0..<24).map { UInt8($0 + name.utf8.count % 200) }
        )
        if writesFile {
            var bytes = content
            if encrypted { try SecretBox.sealWithTagAtEnd(&bytes, key: key, nonce: nonce) }
            try fileSystem.makeDirectories(target.removingLastComponent())
            var file = try fileSystem.create(target)
            try file.write(bytes)
        }
        let connection = try connection()
        try connection.run(
            """
            INSERT INTO chat_items (user_id, \(chat), item_sent, item_ts, msg_content_tag) VALUES (1, ?, ?, ?, ?)
            """, [.integer(chatID), .integer(status.hasPrefix("snd") ? 1 : 0), .text(time), .text(tag)])
        let item = connection.lastInsertedRow
        try connection.run(
            """
            INSERT INTO files (\(chat), user_id, chat_item_id, file_name, file_path, file_size, ci_file_status,
                file_crypto_key, file_crypto_nonce) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(chatID), .integer(item), .text(name), .text(stored), .integer(Int64(content.count)),
                .text(status), encrypted ? .blob(key) : .null, encrypted ? .blob(nonce) : .null,
            ])
        return connection.lastInsertedRow
    }

    /// The content of a row's file, decrypted by libsodium's own function where the row has a key; nil where that
    /// does not go.
    func content(of id: Int64) throws -> [UInt8]? {
        let row = try connection().rows(
            "SELECT file_path, file_crypto_key, file_crypto_nonce FROM files WHERE file_id = ?",
            [.integer(id)])[0]
        let path = row[0].text.map { $0.hasPrefix("/") ? FilePath($0) : location.filesFolder.appending($0) }
        guard let path, try fileSystem.exists(path) else { return nil }
        let bytes = try fileSystem.contents(of: path, limit: 1 << 30)
        guard case (.blob(let key), .blob(let nonce)) = (row[1], row[2]) else { return bytes }
        guard bytes.count >= 16 else { return nil }
        // The stream is its own opposite: sealing the content again has to give the file.
        var plain = Array(bytes.dropLast(16))
        try SecretBox.sealWithTagAtEnd(&plain, key: key, nonce: nonce)
        plain.removeLast(16)
        var again = plain
        try SecretBox.sealWithTagAtEnd(&again, key: key, nonce: nonce)
        return again == bytes ? plain : nil
    }

    func isEncrypted(_ id: Int64) throws -> Bool {
        try connection().value(
            "SELECT file_crypto_key IS NOT NULL AND file_crypto_nonce IS NOT NULL FROM files WHERE file_id = ?",
            [.integer(id)]) == 1
    }
}
