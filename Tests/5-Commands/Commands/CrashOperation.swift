import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance

/// The operations that are crashed, each in a folder with what it needs.
enum CrashOperation: String, CaseIterable, CustomTestStringConvertible {
    case create, migrate, rollback, confirm, export, replacingExport, foldingExport, `import`, importNew
    case importKeeping, importArchive
    case compact, rekey, rekeyKeeping, decrypt
    case mediaEncrypt, mediaDecrypt

    var testDescription: String { rawValue }

    /// Those that are killed at random moments. The operations on media are too, by Scripts/soak-media.py.
    static let killed: [CrashOperation] = [.create, .migrate, .export, .import, .compact, .rekey]

    private static let older: [AccountDatabase: String] = [
        .chat: "0015_remote_access", .agent: "0010_sent_files",
    ]
    /// As much of an archive as is needed to be taken for one: nothing else is replaced.
    static let previous =
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [19, 0, 0, 0]
        + Array("simplex_v1_files/old a previous archive".utf8)

    /// Whether it writes an archive and leaves the account alone.
    var exports: Bool { [.export, .replacingExport, .foldingExport].contains(self) }

    /// The arguments of `valise`, for the folder that everything is in.
    func arguments(_ root: FilePath, key: FilePath) -> [String] {
        let account = root.appending("account").string
        let (zip, output) = (root.appending("in.zip").string, root.appending("out.zip").string)
        let passphrase = ["--passphrase-file", key.string, "--quiet"]
        switch self {
        case .create: return ["account", "create", account] + passphrase
        case .migrate: return ["migrate", "run", account, "--confirm", "yesUp"] + passphrase
        case .rollback: return ["migrate", "rollback", account, "--yes", "--quiet"]
        case .confirm: return ["migrate", "confirm", account, "--quiet"]
        case .export, .foldingExport: return ["archive", "export", account, output] + passphrase
        case .replacingExport: return ["archive", "export", account, output, "--force"] + passphrase
        case .import:
            return ["archive", "import", zip, account, "--into-existing", "--replace-newer", "--yes"]
                + passphrase
        case .importNew: return ["archive", "import", zip, account] + passphrase
        case .importKeeping:
            return ["archive", "import", zip, account, "--into-existing", "--keep-previous", "former"]
                + passphrase
        case .importArchive: return ["archive", "import", zip, account, "--as-archive"] + passphrase
        case .rekey, .rekeyKeeping:
            let new = ["--new-passphrase-file", root.appending("new key").string]
            return ["key", "change", account] + passphrase + new + (self == .rekey ? [] : ["--keep-backup"])
        case .decrypt: return ["key", "change", account, "--decrypt", "--yes"] + passphrase
        case .compact: return ["account", "compact", account] + passphrase
        case .mediaEncrypt: return ["media", "encrypt", account] + passphrase
        case .mediaDecrypt: return ["media", "decrypt", account] + passphrase
        }
    }

    /// Makes what the operation starts from.
    /// - Parameter mediaBytes: nil for a small account; else a sample account with media of that size.
    func prepare(_ root: FilePath, key: FilePath, mediaBytes: Int?) throws {
        let maker = AccountMaker(root, mediaBytes: mediaBytes)
        switch self {
        case .create: break
        case .migrate: try maker.make("old", schema: Self.older)
        case .rollback, .confirm:
            try maker.make("old", schema: Self.older)
            try maker.valise(CrashOperation.migrate.arguments(root, key: key))
        case .export, .decrypt: try maker.make("old")
        case .rekey, .rekeyKeeping:
            try maker.make("old")
            try FileSystem().replace(
                root.appending("new key"), with: Array(AccountState.otherPassphrase.utf8))
        case .compact:
            try maker.make("old")
            try maker.leaveSpace()
        case .mediaEncrypt:
            try maker.make("old")
            try maker.nameMedia()
        case .mediaDecrypt:
            try maker.make("old")
            try maker.nameMedia()
            try maker.valise(CrashOperation.mediaEncrypt.arguments(root, key: key))
        case .replacingExport:
            try maker.make("old")
            try FileSystem().replace(root.appending("out.zip"), with: Self.previous)
        case .foldingExport:
            try maker.make("old")
            try maker.leaveLog()
        case .import, .importNew, .importKeeping, .importArchive:
            try maker.make("new")
            try maker.valise(["archive", "export", maker.location.directory.string, maker.archive.string])
            try FileSystem().removeTree(maker.location.directory)
            if self == .import || self == .importKeeping { try maker.make("old") }
        }
    }
}

/// Makes accounts to start from.
struct AccountMaker {
    let location: AccountLocation
    let archive: FilePath
    private let root: FilePath
    private let mediaBytes: Int?
    private let fileSystem = FileSystem()

    init(_ root: FilePath, mediaBytes: Int?) {
        self.root = root
        self.mediaBytes = mediaBytes
        location = AccountLocation(directory: root.appending("account"))
        archive = root.appending("in.zip")
    }

    func make(_ marker: String, schema: [AccountDatabase: String] = [:]) throws {
        if let mediaBytes, schema.isEmpty {
            try PreparedAccount.sample(
                at: location.directory.string, "--messages", "200", "--media-bytes", "\(mediaBytes)",
                "--seed", marker == "old" ? "1" : "2")
        } else {
            let name = "created \(schema.sorted { $0.key.rawValue < $1.key.rawValue })"
            try PreparedFolder.place(name, at: location.directory) { _ in
                try AccountCreation().create(location, passphrase: AccountState.key(), schema: schema)
            }
        }
        try AccountState.mark(location, marker)
        for (name, size) in [("shared.bin", mediaBytes ?? 60_000), ("only \(marker).jpg", 20_000)] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) } + Array(marker.utf8)
            try fileSystem.replace(location.filesFolder.appending(name), with: bytes)
        }
        try fileSystem.replace(location.wallpapersFolder.appending("wall.jpg"), with: Array(marker.utf8))
    }

    /// Rows that name the media, as messages would; one of them lies deeper.
    func nameMedia() throws {
        let inner = location.filesFolder.appending("inner")
        try fileSystem.makeDirectories(inner)
        try fileSystem.replace(inner.appending("deep.bin"), with: Array("deep".utf8))
        let connection = try Connection(
            location.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
        // Only the table of files matters here.
        try connection.execute("PRAGMA foreign_keys = OFF")
        for name in ["shared.bin", "only old.jpg", "inner/deep.bin"] {
            let size = try fileSystem.attributes(of: location.filesFolder.appending(name))?.size ?? 0
            try connection.run(
                """
                INSERT INTO files (user_id, file_name, file_path, file_size, ci_file_status, protocol)
                VALUES (1, ?, ?, ?, 'rcv_complete', 'xftp')
                """, [.text(name), .text(name), .integer(size)])
        }
    }

    /// Pages that hold nothing, so that a compacted account differs from this one.
    func leaveSpace() throws {
        for database in AccountDatabase.allCases {
            let connection = try Connection(
                location.path(of: database), mode: .readWrite, passphrase: AccountState.key())
            // Without this SQLite gives them back at once.
            try connection.execute("PRAGMA auto_vacuum = NONE; VACUUM")
            try connection.execute(
                """
                CREATE TABLE junk (x); INSERT INTO junk VALUES (zeroblob(200000)); DROP TABLE junk
                """)
            #expect(try connection.value("PRAGMA freelist_count") != 0)
        }
    }

    /// A committed row that is in the write-ahead log only, as a killed program leaves it.
    func leaveLog() throws {
        let path = location.path(of: .chat)
        let copy = root.appending("copy")
        do {
            let connection = try Connection(path, mode: .readWrite, passphrase: AccountState.key())
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.run("INSERT INTO marker VALUES ('in the log')")
            try TemporaryFolder.copyTree(location.directory, to: copy)
        }
        try fileSystem.removeTree(location.directory)
        try fileSystem.rename(copy, to: location.directory)
    }

    func valise(_ arguments: [String]) throws {
        let outcome = try Program.run(Program.valise, arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
