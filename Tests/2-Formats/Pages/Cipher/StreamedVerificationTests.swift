import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// What ``StreamedVerification`` says of bytes that come by is what reading the file says.
struct StreamedVerificationTests {
    private let folder: TemporaryFolder
    private let path: FilePath

    private static func passphrase() throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
    }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        path = folder.appending("db")
        let connection = try Connection(path, mode: .create, passphrase: Self.passphrase())
        try connection.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB);
            WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
            INSERT INTO t SELECT x, randomblob(3000) FROM n;
            """)
    }

    private func file() throws -> EncryptedDatabaseFile {
        let source = try FileSource(path)
        return try EncryptedDatabaseFile(
            source, settings: .format4,
            key: CipherKey(
                passphrase: Self.passphrase(), salt: EncryptedDatabaseFile.salt(of: source),
                settings: .format4))
    }

    /// Changes the file, and streams its bytes in pieces of these sizes, one after the other.
    private func expectSame(
        _ pieces: [Int], workers: Int = 2, _ change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> PageVerification {
        var bytes = try FileSystem().contents(of: path, limit: 1 << 26)
        change(&bytes)
        try FileSystem().replace(path, with: bytes)
        let file = try file()
        let streamed = try StreamedVerification(file, workers: workers)
        try bytes.withUnsafeBytes { all in
            var (offset, turn) = (0, 0)
            while offset < all.count {
                let end = min(offset + pieces[turn % pieces.count], all.count)
                try streamed.add(UnsafeRawBufferPointer(rebasing: all[offset..<end]))
                (offset, turn) = (end, turn + 1)
            }
        }
        let found = try streamed.finish(file)
        #expect(try found == file.verify())
        return found
    }

    @Test(arguments: [[1 << 20], [1 << 16], [4096], [4095, 1, 7], [3 << 20, 11]], [1, 3])
    func `pieces of any size are the same file`(pieces: [Int], workers: Int) throws {
        #expect(try expectSame(pieces, workers: workers).isSound)
    }

    @Test func `pages that were changed are found wherever they are`() throws {
        let page = 4096
        let found = try expectSame([100_003]) { bytes in
            for number in [1, 2, 255, 256, 257, 1024, bytes.count / page] {
                bytes[(number - 1) * page + 99] ^= 1
            }
        }
        #expect(found.damaged.count == 7 && found.damaged.contains(257))
    }

    @Test func `a file that ends within a page, or is zeros in places, is the same too`() throws {
        #expect(try expectSame([1 << 19]) { $0.removeLast(1000) }.trailingBytes == 3096)
        let zeros = try expectSame([1 << 19]) { bytes in
            for index in 4096 * 300..<4096 * 302 { bytes[index] = 0 }
        }
        #expect(zeros.damaged.contains(301) && zeros.damaged.contains(302))
    }

    @Test func `a file that is not what was written is refused`() throws {
        let file = try file()
        let streamed = try StreamedVerification(file)
        try [UInt8](repeating: 0, count: 4096).withUnsafeBytes { try streamed.add($0) }
        let error = #expect(throws: PageCipherError.self) { try streamed.finish(file) }
        #expect(error?.code == .damaged)
    }
}
