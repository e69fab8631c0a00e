import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseCryptoFiles
import ValiseDatabase
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// What an account is, in everything by which a crash could mix two accounts.
struct AccountState: Equatable {
    let newest: [String?]
    let marks: [String?]
    let objects: [Value?]
    let freePages: [Value?]
    let backup: [String]
    /// Which passphrase opens each database.
    let keys: [String]
    /// Previous databases beside the new ones.
    let copies: [String]
    /// The content of all media, decrypted where they have keys.
    let media: [String: [UInt8]?]
    /// The media that have keys.
    let encrypted: [String]
    /// Whether it is marked as only to be read, with the modes of the databases.
    let readOnly: [Int]
    /// The account that was replaced and kept; none or one.
    let previous: [AccountState]

    /// A raw key, which needs no derivation and so is fast.
    static let passphrase = "x'" + String(repeating: "5a", count: 32) + "'"

    /// What a change of the passphrase leads to.
    static let otherPassphrase = "x'" + String(repeating: "c3", count: 32) + "'"

    static func key() throws -> SecretBytes { try SecretBytes(copying: Array(passphrase.utf8)) }

    /// Which of the passphrases opens a database.
    private static func passphrase(of path: FilePath) throws -> String {
        for passphrase in [passphrase, otherPassphrase, ""] {
            do {
                _ = try Connection(
                    path, mode: .readOnly, passphrase: SecretBytes(copying: Array(passphrase.utf8)))
                return passphrase
            } catch let error as DatabaseError {
                guard error.isNotADatabase else { throw error }
            }
        }
        throw UnknownPassphrase()
    }

    private struct UnknownPassphrase: Error {}

    /// - Returns: nil where there is no database; one alone is an error.
    init?(of location: AccountLocation) throws {
        let fileSystem = FileSystem()
        guard try AccountDatabase.allCases.contains(where: { try fileSystem.exists(location.path(of: $0)) })
        else { return nil }
        var (newest, marks): ([String?], [String?]) = ([], [])
        var (objects, freePages): ([Value?], [Value?]) = ([], [])
        var keys: [String] = []
        var copies: [String] = []
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            let key = try Self.passphrase(of: path)
            keys.append(key)
            let connection = try Connection(
                path, mode: .readOnly, passphrase: SecretBytes(copying: Array(key.utf8)))
            copies += try DatabaseFile(path, fileSystem: fileSystem).copies
            #expect(try connection.value("PRAGMA integrity_check(1)") == .text("ok"))
            newest.append(try connection.value("SELECT max(name) FROM migrations")?.text)
            objects.append(try connection.value("SELECT count(*) FROM sqlite_master"))
            freePages.append(try connection.value("PRAGMA freelist_count"))
            let tables = try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'marker'")
            marks.append(tables == .integer(1) ? try connection.value("SELECT text FROM marker")?.text : nil)
        }
        self.newest = newest
        self.marks = marks
        self.objects = objects
        self.keys = keys
        self.copies = copies
        #expect(Set(keys).count == 1, "the databases have different passphrases")
        self.freePages = freePages
        let kept = Self.workFolder(of: location).appending("backup")
        backup = try fileSystem.exists(kept) ? fileSystem.list(kept).compactMap(\.name).sorted() : []
        var media: [String: [UInt8]?] = [:]
        for folder in [location.filesFolder, location.wallpapersFolder] {
            media.merge(try TemporaryFolder.contents(of: folder, under: folder.string + "/")) { $1 }
        }
        let mediaKeys = try Self.mediaKeys(location, keys[0])
        for (name, args) in mediaKeys {
            let path = location.filesFolder.appending(name)
            media[path.string] = try Self.content(path, args)
        }
        self.media = media
        encrypted = mediaKeys.keys.sorted()
        let modes = try AccountDatabase.allCases.compactMap {
            try fileSystem.attributes(of: location.path(of: $0))?.permissions.rawValue
        }
        readOnly = try (fileSystem.exists(location.readOnlyMarkPath) ? [1] : [0]) + modes.map(Int.init)
        let inner = AccountLocation(directory: location.directory.appending("former"))
        guard try fileSystem.exists(inner.directory) else {
            previous = []
            return
        }
        let found = try AccountState(of: inner)
        previous = [try #require(found, "a kept account without databases")]
    }

    private static func mediaKeys(
        _ location: AccountLocation, _ passphrase: String
    ) throws -> [String: CryptoFileArgs] {
        let connection = try Connection(
            location.path(of: .chat), mode: .readOnly,
            passphrase: SecretBytes(copying: Array(passphrase.utf8)))
        var keys: [String: CryptoFileArgs] = [:]
        guard let table = try MediaTable(connection) else { return keys }
        try table.forEach(connection) { keys[$0.filePath] = try table.keys(of: $0.fileID, connection) }
        return keys
    }

    private static func content(_ path: FilePath, _ args: CryptoFileArgs) throws -> [UInt8]? {
        guard try FileSystem().exists(path) else { return nil }
        let content = Mutex<[UInt8]>([])
        try CryptoFileCipher(workers: 1).decrypt(FileSource(path), args) { bytes, _ in
            content.withLock { $0 += bytes }
        }
        return content.withLock { $0 }
    }

    /// For messages.
    var summary: String {
        "\(keys) \(copies) \(newest) \(marks) \(objects) free \(freePages) backup \(backup) "
            + "media \(media.keys.sorted()) encrypted \(encrypted) read only \(readOnly) "
            + "previous \(previous.map(\.summary))"
    }

    /// Rows by which an account is told from another.
    static func mark(_ location: AccountLocation, _ text: String) throws {
        for database in AccountDatabase.allCases {
            let connection = try Connection(
                location.path(of: database), mode: .readWrite, passphrase: key())
            try connection.execute("CREATE TABLE marker (text TEXT)")
            try connection.run("INSERT INTO marker VALUES (?)", [.text(text)])
        }
    }

    /// What an interrupted run would have left: all that neither an account nor an archive consists of.
    static func leftovers(in root: FilePath) throws -> [String] {
        let fileSystem = FileSystem()
        let suffixes = [".partial", ".partial.journal", ".parts", "-journal", ".new"]
        var names = try fileSystem.list(root).compactMap(\.name)
        let account = AccountLocation(directory: root.appending("account"))
        if try fileSystem.exists(account.directory) {
            names += try fileSystem.list(account.directory).compactMap(\.name)
        }
        var found = names.filter { name in suffixes.contains { name.hasSuffix($0) } }
        let work = workFolder(of: account)
        if try fileSystem.exists(work) {
            let inside = try fileSystem.list(work).compactMap(\.name)
            if inside != ["backup"] { found.append("work folder with \(inside)") }
        }
        return found
    }

    private static func workFolder(of location: AccountLocation) -> FilePath {
        location.directory.appending(".valise-\(location.prefix)")
    }
}
