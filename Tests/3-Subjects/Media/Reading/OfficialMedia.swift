import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseCryptography
import ValiseDatabase
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// An account with just the tables that matter to media, under the official names (data model, §7.2), made by hand.
final class OfficialMedia {
    /// How a file's row and the file itself begin.
    struct File {
        let fileID: Int64
        let path: String
        let content: [UInt8]
        let key: [UInt8]
        let nonce: [UInt8]
    }

    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()
    let connection: Connection
    private var generator: SeededGenerator
    private var nextID: Int64 = 1

    static let officialColumns = """
        file_id INTEGER PRIMARY KEY, contact_id INTEGER, group_id INTEGER, note_folder_id INTEGER,
        user_id INTEGER, chat_item_id INTEGER, file_name TEXT, file_path TEXT, file_size INTEGER,
        chunk_size INTEGER, created_at TEXT, updated_at TEXT, cancelled INTEGER, ci_file_status TEXT,
        file_inline TEXT, agent_snd_file_id BLOB, protocol TEXT
        """
    static let keyColumns = ", file_crypto_key BLOB, file_crypto_nonce BLOB"

    init(columns: String = officialColumns + keyColumns, seed: UInt64 = 7) throws {
        generator = SeededGenerator(seed: seed)
        folder = try TemporaryFolder()
        location = AccountLocation(directory: folder.appending("account"))
        try fileSystem.makeDirectories(location.filesFolder)
        let agent = try Connection(location.path(of: .agent), mode: .create, passphrase: SecretBytes.empty())
        try agent.execute("CREATE TABLE users (user_id INTEGER)")
        connection = try Connection(
            location.path(of: .chat), mode: .create, passphrase: SecretBytes.empty())
        try connection.execute(
            """
            CREATE TABLE files (\(columns));
            CREATE TABLE chat_items (chat_item_id INTEGER PRIMARY KEY, item_sent INTEGER, item_ts TEXT,
                group_member_id INTEGER, msg_content_tag TEXT)
            """)
    }

    // MARK: Content

    func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A head that is recognized, then noise, as media are.
    func image(_ count: Int = 5000) -> [UInt8] {
        [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF\0".utf8) + noise(count - 11)
    }

    static func text(_ count: Int) -> [UInt8] {
        Array(Array(repeating: "a line of some text\n", count: count / 20 + 1).joined().utf8.prefix(count))
    }

    // MARK: Rows and files

    /// Adds a row, and the file that it speaks of.
    @discardableResult
    func add(
        _ path: String, _ content: [UInt8], isEncrypted: Bool = true, status: String = "rcv_complete",
        hasFile: Bool = true
    ) throws -> File {
        let file = File(
            fileID: nextID, path: path, content: content, key: noise(32), nonce: noise(24))
        nextID += 1
        let keys: [Value] = isEncrypted ? [.blob(file.key), .blob(file.nonce)] : [.null, .null]
        try row(file.fileID, path, Int64(content.count), keys, status: status)
        if hasFile { try write(path, isEncrypted ? sealed(file) : content) }
        return file
    }

    func row(
        _ fileID: Int64, _ path: String, _ size: Int64, _ keys: [Value], status: String = "rcv_complete"
    ) throws {
        try connection.run(
            """
            INSERT INTO files (file_id, user_id, chat_item_id, file_name, file_path, file_size, created_at,
                ci_file_status, file_crypto_key, file_crypto_nonce)
            VALUES (?, 1, ?, 'name', ?, ?, '2026-01-01 00:00:00', ?, ?, ?)
            """,
            [.integer(fileID), .integer(fileID + 100), .text(path), .integer(size), .text(status)] + keys)
        nextID = max(nextID, fileID + 1)
    }

    func sealed(_ file: File) throws -> [UInt8] {
        var bytes = file.content
        try SecretBox.sealWithTagAtEnd(&bytes, key: file.key, nonce: file.nonce)
        return bytes
    }

    func path(_ name: String) -> FilePath { location.filesFolder.appending(name) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let path = path(name)
        try fileSystem.makeDirectories(path.removingLastComponent())
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        var file = try fileSystem.create(path)
        try file.write(bytes)
    }

    func bytes(_ name: String) throws -> [UInt8] { try fileSystem.contents(of: path(name), limit: 1 << 26) }

    // MARK: Audits

    func audit() throws -> MediaAuditReport {
        try MediaAudit().audit(AccountReader(location), passphrase: SecretBytes.empty())
    }

    func summary() throws -> MediaSummary {
        try MediaSummary(
            try #require(try MediaRows(connection)), MediaFolder(location, fileSystem: fileSystem))
    }

    /// Verdicts by path.
    func verdicts(_ report: MediaAuditReport? = nil) throws -> [String: MediaVerdict] {
        let report = try report ?? audit()
        return Dictionary(report.problems.map { ($0.path, $0.verdict) }) { first, _ in first }
    }

    /// Both databases and the regular files directly in the folder, as an export packs them.
    func archive(_ method: ZipMethod, of location: AccountLocation? = nil) throws -> FilePath {
        let location = location ?? self.location
        let path = folder.appending("account-\(method).zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        for database in AccountDatabase.allCases {
            try Self.add(database.archiveName, location.path(of: database), to: writer, method)
        }
        for entry in try fileSystem.list(location.filesFolder) where entry.kind == .regular {
            let name = try #require(entry.name)
            try Self.add(
                "simplex_v1_files/\(name)", location.filesFolder.appending(name), to: writer, method)
        }
        _ = try writer.finish()
        return path
    }

    static func add(_ name: String, _ path: FilePath, to writer: ZipWriter, _ method: ZipMethod) throws {
        let source = try FileSource(path)
        var offset: Int64 = 0
        try writer.add(name, size: source.size, modificationTime: 0, method: method) { buffer in
            let count = try source.read(into: buffer, at: offset)
            offset += Int64(count)
            return count
        }
    }
}
