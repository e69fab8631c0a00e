import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// What the disk gives back is compared with what was written.
struct WrittenPagesTests {
    private static func key(_ digits: String, salt: [UInt8]) throws -> CipherKey {
        let text = "x'" + String(repeating: digits, count: 32) + "'"
        return try CipherKey(
            passphrase: SecretBytes(copying: Array(text.utf8)), salt: salt, settings: .format4)
    }

    /// Some 2.5 MiB: the last batch is not full.
    private static func database(_ folder: TemporaryFolder) throws -> EncryptedDatabaseFile {
        let path = folder.appending("db")
        do {
            let passphrase = try SecretBytes(
                copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
            let connection = try Connection(path, mode: .create, passphrase: passphrase)
            try connection.execute(
                """
                CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB);
                WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2500)
                INSERT INTO t SELECT x, randomblob(900) FROM n;
                """)
        }
        let source = try FileSource(path)
        return try EncryptedDatabaseFile(
            source, settings: .format4, key: key("5a", salt: EncryptedDatabaseFile.salt(of: source)))
    }

    private struct Written {
        let folder: TemporaryFolder
        let path: FilePath
        let pages: WrittenPages
        let writer: ParallelWriter
        let size: Int64

        init(_ engine: PageEngineKind?, fileSystem: FileSystem = FileSystem(), inMemory: Bool = false) throws
        {
            folder = try TemporaryFolder(inMemory: inMemory)
            path = folder.appending("new")
            let source = try WrittenPagesTests.database(folder)
            size = Int64(source.pageCount) * 4096
            var file = try fileSystem.create(path)
            file.passCache()
            try file.reserve(size)
            writer = ParallelWriter(file)
            pages = try PageReencryption(
                of: source, under: key("c3", salt: KeyDerivation.makeSalt()), engine: engine
            ).write(to: writer)
            try writer.synchronize()
        }

        /// Something else changes the file.
        func change(at offset: Int64, _ body: (inout UInt8) -> Void) throws {
            let file = try FileSystem().openForUpdating(path)
            var bytes = try file.bytes(at: offset, count: 1)
            body(&bytes[0])
            try bytes.withUnsafeBytes { try file.write($0, at: offset) }
            try file.synchronize()
        }
    }

    @Test(arguments: PageEngineTests.engines, [false, true])
    func `what was not changed matches, and one bit that flipped does not`(
        engine: PageEngineKind, inMemory: Bool
    ) throws {
        let written = try Written(engine, inMemory: inMemory)
        #expect(written.size > 2 << 20 && written.size % (1 << 20) != 0)
        #expect(try written.pages.matches(written.writer))
        var random = SeededGenerator(seed: 5)
        let places =
            [0, written.size - 1] + (0..<40).map { _ in Int64.random(in: 0..<written.size, using: &random) }
        for place in places {
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try written.change(at: place) { $0 ^= bit }
            #expect(try !written.pages.matches(written.writer), "bit \(bit) at \(place)")
            try written.change(at: place) { $0 ^= bit }
        }
        #expect(try written.pages.matches(written.writer))
    }

    @Test func `a file that lost its end is told`() throws {
        let written = try Written(nil)
        try FileSystem().openForUpdating(written.path).truncate(to: written.size - 4096)
        #expect(throws: FileError.self) { try written.pages.matches(written.writer) }
    }

    @Test(arguments: [1, 2, 4])
    func `every byte is read back, once`(workers: Int) throws {
        let count = Mutex(0)
        let isProof = Mutex(false)
        let fileSystem = FileSystem(
            interposer: ReadInterposer { path, bytes in
                if path.lastComponent?.string == "new", isProof.withLock({ $0 }) {
                    count.withLock { $0 += bytes }
                }
                return .proceed
            })
        let written = try Written(nil, fileSystem: fileSystem)
        isProof.withLock { $0 = true }
        #expect(try written.pages.matches(written.writer, workers: workers))
        #expect(Int64(count.withLock { $0 }) == written.size)
    }

    @Test func `a disk that gives back an error is no match`() throws {
        let fileSystem = FileSystem(
            interposer: ReadInterposer { path, count in
                path.lastComponent?.string == "new" && count > 4096 ? .fail(.ioError) : .proceed
            })
        let written = try Written(nil, fileSystem: fileSystem)
        #expect(throws: FileError.self) { try written.pages.matches(written.writer) }
    }
}
