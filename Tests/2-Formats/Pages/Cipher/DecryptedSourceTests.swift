import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFiles
import ValisePages
import ValiseSecrets

/// What SQLite reads through ``DecryptedSource`` is what SQLCipher reads from the file.
struct DecryptedSourceTests {
    private static func passphrase() throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
    }

    private static let content = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB); CREATE INDEX i ON t (a);
        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
        INSERT INTO t SELECT x, 'row ' || (x * 7919 % 3000), zeroblob(x % 900) FROM n;
        """
    private static let sum = "SELECT count(*) || sum(id) || group_concat(a) || sum(length(b)) FROM t"

    private func database(_ settings: CipherSettings, _ folder: TemporaryFolder) throws -> FilePath {
        let path = folder.appending("db")
        let connection = try Connection(
            path, mode: .create, passphrase: Self.passphrase(), cipher: settings.pragmas)
        try connection.execute(Self.content)
        return path
    }

    private func open(_ path: FilePath, _ settings: CipherSettings) throws -> EncryptedDatabaseFile {
        let source = try FileSource(path)
        let key = try CipherKey(
            passphrase: Self.passphrase(), salt: EncryptedDatabaseFile.salt(of: source), settings: settings)
        return try EncryptedDatabaseFile(source, settings: settings, key: key)
    }

    private static let settings: [CipherSettings] = {
        var large = CipherSettings.format4
        large.pageSize = 16384
        return [.format4, .format3, .format2, .format1, large]
    }()

    @Test(arguments: settings)
    func `SQLite finds the same rows, and nothing wrong`(settings: CipherSettings) throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try database(settings, folder)
        let theirs = try Connection(
            path, mode: .readOnly, passphrase: Self.passphrase(), cipher: settings.pragmas)
        let file = try open(path, settings)
        let ours = try Connection(
            try #require(try DecryptedSource(file, try file.verify())), passphrase: SecretBytes.empty())
        let sum = try ours.value(Self.sum)
        #expect(try sum != nil && sum == theirs.value(Self.sum))
        #expect(try ours.value("PRAGMA integrity_check") == .text("ok"))
    }

    @Test func `any part can be read, across pages and past the end`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let file = try open(try database(.format4, folder), .format4)
        let source = try #require(try DecryptedSource(file, try file.verify()))
        func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let found = try bytes.withUnsafeMutableBytes { try source.read(into: $0, at: offset) }
            return Array(bytes.prefix(found))
        }
        let whole = try read(Int(source.size), at: 0)
        #expect(whole.count == Int(source.size))
        #expect(whole.starts(with: Array("SQLite format 3\0".utf8)))
        for (count, offset) in [(1, 0), (16, 24), (5000, 4000), (4096, 4095), (9000, 8192)] {
            #expect(try read(count, at: Int64(offset)) == Array(whole[offset..<offset + count]))
        }
        #expect(try read(100, at: source.size - 10) == Array(whole.suffix(10)))
        #expect(try read(100, at: source.size).isEmpty)
        #expect(try read(100, at: -1).isEmpty)
    }

    @Test func `a damaged page cannot be read, the others can`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try database(.format4, folder)
        var bytes = try FileSystem().contents(of: path, limit: 1 << 24)
        bytes[9 * 4096 + 5] ^= 1
        try FileSystem().replace(path, with: bytes)
        let file = try open(path, .format4)
        let source = try #require(try DecryptedSource(file, try file.verify()))
        var page = [UInt8](repeating: 0, count: 4096)
        #expect(throws: PageCipherError.self) {
            _ = try page.withUnsafeMutableBytes { try source.read(into: $0, at: 9 * 4096) }
        }
        #expect(try page.withUnsafeMutableBytes { try source.read(into: $0, at: 8 * 4096) } == 4096)
        bytes[500] ^= 1
        try FileSystem().replace(path, with: bytes)
        let headless = try open(path, .format4)
        #expect(try DecryptedSource(headless, try headless.verify()) == nil)
    }
}
