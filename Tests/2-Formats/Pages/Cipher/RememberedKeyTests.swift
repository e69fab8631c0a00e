import FaultInjection
import SystemPackage
import Testing
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
        let known = passphrase.derivedKeys?.key(.sqlCipher4(salt: salt)) != nil
        #expect(known)
        #expect(try opens(passphrase))
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
