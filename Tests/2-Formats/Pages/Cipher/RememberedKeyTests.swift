import FaultInjection
import SystemPackage
import Testing
import ValiseCryptography
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// A passphrase that remembers its keys: whoever opens a database with it derives once, SQLCipher too.
struct RememberedKeyTests {
    private let folder: TemporaryFolder
    private var path: FilePath { folder.appending("test.db") }
    private let salt: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.appending("test.db")
        do {
            let connection = try Connection(path, mode: .create, passphrase: try Self.passphrase())
            try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('kept')")
        }
        salt = try FileSystem().openForReading(path).bytes(at: 0, count: 16)
    }

    private static func passphrase() throws -> SecretBytes {
        try SecretBytes(copying: Array("correct horse".utf8))
    }

    /// What a passphrase remembers for a salt; nil for nothing.
    private func remembered(_ passphrase: borrowing SecretBytes, _ salt: [UInt8]) -> [UInt8]? {
        passphrase.derivedKeys?.key(.sqlCipher4(salt: salt))?.bytes.withBytes { Array($0) }
    }

    /// What is derived anew.
    private func derived(_ salt: [UInt8]) throws -> [UInt8] {
        try Self.passphrase().derivedKey(.sqlCipher4(salt: salt), size: 32).bytes.withBytes { Array($0) }
    }

    private func opens(_ passphrase: borrowing SecretBytes) throws -> Bool {
        do {
            let connections = try [
                OpenedRow(Connection(path, mode: .readOnly, passphrase: passphrase)),
                OpenedRow(Connection(FileSource(path), passphrase: passphrase)),
            ]
            return connections.allSatisfy { $0.text == "kept" }
        } catch let error as DatabaseError where error.code == .wrongPassphrase {
            return false
        }
    }

    private struct OpenedRow {
        let text: Value?

        init(_ connection: consuming Connection) throws {
            text = try connection.value("SELECT x FROM t")
        }
    }

    @Test func `what is derived for a file opens it in every way`() throws {
        let passphrase = try Self.passphrase().rememberingKeys()
        _ = try CipherIdentification.identify(FileSource(path), passphrase: passphrase)
        #expect(remembered(passphrase, salt) != nil)
        #expect(try opens(passphrase))
    }

    @Test func `opening a file remembers its key`() throws {
        let passphrase = try Self.passphrase().rememberingKeys()
        _ = try Connection(path, mode: .readOnly, passphrase: passphrase)
        #expect(try remembered(passphrase, salt) == derived(salt))
    }

    @Test func `a new file has a salt of its own, and the key that SQLCipher derives`() throws {
        let passphrase = try Self.passphrase().rememberingKeys()
        for name in ["one.db", "other.db"] {
            let path = folder.appending(name)
            do {
                let connection = try Connection(path, mode: .create, passphrase: passphrase)
                try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('kept')")
            }
            let salt = try FileSystem().openForReading(path).bytes(at: 0, count: 16)
            #expect(salt != self.salt)
            #expect(try remembered(passphrase, salt) == derived(salt))
            let opened = try OpenedRow(Connection(path, mode: .readOnly, passphrase: Self.passphrase()))
            #expect(opened.text == "kept")
        }
        #expect(remembered(passphrase, salt) == nil)
    }

    @Test func `a raw key is taken as it is, and a zero byte is refused`() throws {
        let raw = try SecretBytes(copying: Array("x'\(String(repeating: "a1", count: 32))'".utf8))
        let path = folder.appending("raw.db")
        do {
            let connection = try Connection(path, mode: .create, passphrase: raw.rememberingKeys())
            try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('kept')")
        }
        #expect(try OpenedRow(Connection(path, mode: .readOnly, passphrase: raw)).text == "kept")
        let cut = try SecretBytes(copying: Array("correct horse\0".utf8)).rememberingKeys()
        let error = #expect(throws: DatabaseError.self) {
            _ = try Connection(self.path, mode: .readOnly, passphrase: cut)
        }
        #expect(error?.code == .invalid)
    }

    /// Were it derived again, the right key would be found.
    @Test func `SQLCipher and we take the key that is remembered`() throws {
        let passphrase = try Self.passphrase().rememberingKeys()
        let wrong = SharedSecret(try SecretBytes(copying: [UInt8](repeating: 0x5a, count: 32)))
        passphrase.derivedKeys?.remember(wrong, .sqlCipher4(salt: salt))
        #expect(try !opens(passphrase))
        let key = try CipherKey(passphrase: passphrase, salt: salt, settings: .format4)
        let text = try key.rawPassphrase().withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasPrefix("x'" + String(repeating: "5a", count: 32)))
        #expect(try opens(Self.passphrase()))
    }

    @Test func `a key of other settings or another file is not taken`() throws {
        let passphrase = try Self.passphrase().rememberingKeys()
        let wrong = SharedSecret(try SecretBytes(copying: [UInt8](repeating: 0x5a, count: 32)))
        passphrase.derivedKeys?.remember(wrong, .sqlCipher4(salt: salt.reversed()))
        passphrase.derivedKeys?.remember(
            wrong, KeyDerivation(hash: "SHA1", iterations: 64_000, salt: salt))
        #expect(try opens(passphrase))
    }

    /// Looking for the settings of a file remembers keys under those of other formats too.
    @Test func `a file of an older format is opened with its settings`() throws {
        let older = folder.appending("older.db")
        let pragmas = CipherSettings.format3.pragmas
        do {
            let connection = try Connection(
                older, mode: .create, passphrase: try Self.passphrase(), cipher: pragmas)
            try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('kept')")
        }
        let passphrase = try Self.passphrase().rememberingKeys()
        let found = try CipherIdentification.identify(FileSource(older), passphrase: passphrase)
        #expect(found.verdict == .right(.format3))
        let connections = try [
            OpenedRow(Connection(older, mode: .readOnly, passphrase: passphrase, cipher: pragmas)),
            OpenedRow(Connection(FileSource(older), passphrase: passphrase, cipher: pragmas)),
        ]
        #expect(connections.allSatisfy { $0.text == "kept" })
    }
}
