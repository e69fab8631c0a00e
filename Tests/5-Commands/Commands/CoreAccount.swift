import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// An account that the app's own core made (Fixtures/app-core/README.md).
enum CoreAccount: String, CaseIterable, CustomTestStringConvertible {
    case alice, bob
    case older = "alice-5.4"

    var testDescription: String { rawValue }

    /// Nil for one that is not encrypted.
    var passphrase: String? {
        switch self {
        case .alice: "correct-horse-11"
        case .bob: nil
        case .older: "correct-horse-21"
        }
    }

    /// Of both databases together.
    var migrations: (chat: Int, agent: Int) { self == .older ? (90, 27) : (112, 36) }

    /// Rows of `chat_items`.
    var messages: Int {
        switch self {
        case .alice: 101
        case .bob: 85
        case .older: 93
        }
    }

    var archive: String {
        Repository.beside("Fixtures/app-core/\(rawValue).zip").path
    }
}

/// A folder in which one of the core's accounts is imported, with the built program and other programs as witnesses.
struct CoreWorld {
    let core: CoreAccount
    /// Of the account here; nil for none.
    let passphrase: String?
    /// An archive of the account as it is at first.
    let source: String
    let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    /// - Parameter rawKey: whether a raw key takes the place of the passphrase, where that is not the matter: deriving its keys
    ///   takes longer than all else that most commands do.
    init(_ core: CoreAccount, rawKey: Bool = false) throws {
        self.core = core
        let changes = rawKey && core.passphrase != nil
        passphrase = changes ? AccountState.passphrase : core.passphrase
        folder = try TemporaryFolder("valise-core", inMemory: true)
        let made = folder.appending("made")
        source = changes ? made.appending("source.zip").string : core.archive
        let words = ["first": core.passphrase, "key": passphrase, "other": "another-horse-12"]
        for (name, word) in words {
            try fileSystem.replace(folder.appending(name), with: Array((word ?? "").utf8))
        }
        try PreparedFolder.place("core: \(core), \(rawKey)", at: made) { _ in
            try fileSystem.makeDirectory(made)
            let first = core.passphrase == nil ? [] : ["--passphrase-file", path("first")]
            try make(["archive", "import", core.archive, account], first)
            guard changes else { return }
            try make(["key", "change", account, "--new-passphrase-file", path("key")], first)
            try make(["archive", "export", account, source], key)
        }
    }

    private func make(_ arguments: [String], _ key: [String]) throws {
        let outcome = try valise(arguments + ["--quiet"], key)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    var account: String { folder.appending("made").appending("account").string }
    var archive: String { folder.appending("new.zip").string }
    var key: [String] { passphrase == nil ? [] : ["--passphrase-file", path("key")] }
    var otherKey: [String] { ["--passphrase-file", folder.appending("other").string] }
    var otherPassphrase: String { "another-horse-12" }

    func path(_ name: String) -> String { folder.appending(name).string }

    /// With the account's passphrase.
    func valise(_ arguments: String...) throws -> Program.Outcome { try valise(arguments, key) }

    func valise(_ arguments: [String], _ key: [String]) throws -> Program.Outcome {
        try Program.run(Program.valise, arguments + key, environment: ["HOME": folder.path.string])
    }

    // MARK: Witnesses

    /// Everything that a database holds, as the shell of SQLCipher tells it: statements, sorted, as their order says nothing.
    func dump(_ database: String, in account: String? = nil, _ passphrase: String?) throws -> [String] {
        try sqlcipher(database, in: account, passphrase, ".dump").components(separatedBy: ";\n").sorted()
    }

    /// Both databases.
    func content(of account: String? = nil, _ passphrase: String?) throws -> [[String]] {
        try ["chat", "agent"].map { try dump($0, in: account, passphrase) }
    }

    /// What SQLCipher itself says against the databases; empty for nothing.
    func complaints(in account: String? = nil, _ passphrase: String?) throws -> [String] {
        try ["chat", "agent"].flatMap { database in
            let hmacs = passphrase == nil ? "" : "PRAGMA cipher_integrity_check; "
            let found = try sqlcipher(
                database, in: account, passphrase, hmacs + "PRAGMA integrity_check; PRAGMA foreign_key_check;"
            )
            return found == "ok\n" ? [] : ["\(database): \(found)"]
        }
    }

    func sqlcipher(
        _ database: String, in account: String? = nil, _ passphrase: String?, _ statements: String
    ) throws -> String {
        let shell = try #require(Program.tool("sqlcipher"))
        let path = "\(account ?? self.account)/simplex_v1_\(database).db"
        let key = try passphrase.map {
            let key = $0.hasPrefix("x'") ? $0 : try CoreKeys.key($0, FilePath(path))
            return ["-cmd", ".output /dev/null", "-cmd", "PRAGMA key = \"\(key)\"", "-cmd", ".output"]
        }
        let outcome = try Program.run(shell, (key ?? []) + [path, statements])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output
    }

    /// The media, as they lie.
    func media(in account: String? = nil) throws -> [String: [UInt8]?] {
        let folder = FilePath(account ?? self.account).appending("simplex_v1_files")
        return try TemporaryFolder.contents(of: folder)
    }

    /// The content of all media, by what another command writes.
    func decryptedMedia(from archive: String, _ key: [String]) throws -> [String: [UInt8]?] {
        let out = folder.appending("plain-\(UInt32.random(in: 0 ... .max))")
        let outcome = try valise(["archive", "extract", archive, "-C", out.string, "--decrypt-media"], key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try media(in: out.string)
    }

    func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(outcome.json, "\(outcome.output)\(outcome.errors)")
    }
}

/// Keys of databases with the salts in front of them, each derived once, by Python: of what a witness does it takes the longest.
private enum CoreKeys {
    private static let known = Mutex<[String: String]>([:])

    /// A key that SQLCipher takes as it is.
    static func key(_ passphrase: String, _ database: FilePath) throws -> String {
        let salt = try FileSystem().contents(of: database, limit: 1 << 26).prefix(16)
            .map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        let name = passphrase + salt
        if let key = known.withLock({ $0[name] }) { return key }
        let outcome = try Program.run(
            try #require(Program.tool("python3")),
            [
                "-c",
                """
                import hashlib, sys
                passphrase, salt = sys.argv[1:]
                print(hashlib.pbkdf2_hmac("sha512", passphrase.encode(), bytes.fromhex(salt), 256000, 32).hex() + salt, end="")
                """, passphrase, salt,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = "x'\(outcome.output)'"
        known.withLock { $0[name] = key }
        return key
    }
}
