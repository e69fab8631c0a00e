import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// The image of an archive is the archive that an export would write.
struct ArchiveImageTests {
    private func exported(_ account: SampleAccountFixture) throws -> [UInt8] {
        let report = try account.export(
            .init(compresses: false, replacesFile: true, isReproducible: true))
        #expect(report.isReproducible == true)
        return try account.fileSystem.contents(of: account.archive, limit: 1 << 30)
    }

    private func image(_ account: SampleAccountFixture) throws -> ArchiveImage {
        try ArchiveImage(account.location, passphrase: SampleAccountFixture.key())
    }

    private func expectEqual(_ image: ArchiveImage, _ bytes: [UInt8]) throws {
        #expect(image.size == Int64(bytes.count))
        let isEqual = try image.bytes() == bytes
        #expect(isEqual)
    }

    @Test func `its bytes are those of a stored and reproducible export`() throws {
        let account = try SampleAccountFixture(mediaBytes: 3_000_000)
        let bytes = try exported(account)
        let image = try image(account)
        try expectEqual(image, bytes)
        try image.checkUnchanged()
        #expect(image.archiveErrors.isEmpty)
        let listed = try ArchiveListing(account.archive).entries
        #expect(image.entries.map(\.name) == listed.map(\.name))
        #expect(image.entries.map(\.size) == listed.map(\.size))
        let files = try account.files()
        for entry in image.entries {
            let content = try #require(files[entry.name])
            #expect(entry.digest == SHA256.hash(content), "\(entry.name)")
            #expect(entry.checksum == Checksum.crc32(content), "\(entry.name)")
        }
    }

    /// Sizes around the cuts, names of several scripts, one file that all cores read together.
    @Test func `any folder has an image, read at any place by several threads`() throws {
        let account = try SampleAccountFixture()
        let seed = UInt64.random(in: 0...999_999)
        print("seed of the media: \(seed)")
        var random = SeededGenerator(seed: seed)
        let block = 1 << 20
        var sizes = [0, 1, 4095, 4096, 4097, block - 1, block, block + 1, 3 * block + 77, 33 * block + 5]
        sizes += (0..<200).map { _ in Int.random(in: 0...9000, using: &random) }
        for (number, size) in sizes.enumerated() {
            let name = ["ä", "長い名前", "🎒 ", "plain", "ﬁ"].randomElement(using: &random) ?? ""
            let folder = number % 9 == 0 ? account.location.wallpapersFolder : account.location.filesFolder
            try account.fileSystem.makeDirectories(folder)
            var file = try account.fileSystem.create(folder.appending("\(name)\(number)"))
            try file.write(Self.noise(size, &random))
        }
        let bytes = try exported(account)
        let image = try image(account)
        try expectEqual(image, bytes)

        try ParallelBatches.run(
            count: 400, workers: 4, makeWorker: {},
            work: { _, number in
                var random = SeededGenerator(seed: seed &+ UInt64(number))
                let start = Int.random(in: 0...bytes.count, using: &random)
                let count = Int.random(in: 0...(number % 3 == 0 ? 1 << 21 : 300), using: &random)
                let isEqual =
                    try image.bytes(at: Int64(start), count: count)
                    == Array(bytes[start..<min(bytes.count, start + count)])
                #expect(isEqual, "\(count) bytes at \(start)")
            })
    }

    private static func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    @Test(arguments: ["unzip", "python3", "7z", "bsdtar"])
    func `other programs accept it`(name: String) throws {
        guard let tool = Tool(name) else {
            print("\(name) is not installed and not tested")
            return
        }
        let account = try SampleAccountFixture(mediaBytes: 3_000_000)
        try account.fileSystem.replace(account.archive, with: image(account).bytes())
        let arguments = [
            "unzip": ["-tq", "a.zip"], "7z": ["t", "a.zip"], "bsdtar": ["-xOf", "a.zip"],
            "python3": [
                "-c", "import sys, zipfile; sys.exit(zipfile.ZipFile('a.zip').testzip() is not None)",
            ],
        ]
        let folder = account.folder.path.string
        // What it unpacks has nowhere to go.
        let (status, _) = try tool.run(arguments[name] ?? [], in: folder)
        #expect(status == 0)
    }

    @Test func `what an export leaves out is left out, in the same words`() throws {
        let account = try SampleAccountFixture()
        let folder = account.location.filesFolder
        for name in ["one\u{1}", "Twin", "twin", "con"] {
            try account.fileSystem.replace(folder.appending(name), with: [1])
        }
        let bad = try #require(FilePath.Component(bytes: [0xff, 0x41]))
        try account.fileSystem.replace(folder.appending("x"), with: [2])
        try account.fileSystem.rename(folder.appending("x"), to: folder.appending(bad))
        let report = try account.export(.init(compresses: false, isReproducible: true))
        let image = try image(account)
        #expect(report.archiveErrors.count >= 4)
        #expect(image.archiveErrors == report.archiveErrors)
        try expectEqual(image, account.fileSystem.contents(of: account.archive, limit: 1 << 30))
    }

    @Test func `the account is locked as long as it lives`() throws {
        let account = try SampleAccountFixture()
        func lock() throws { _ = try AccountLock(account.location, .exclusive, fileSystem: FileSystem()) }
        var image: ArchiveImage? = try image(account)
        let error = #expect(throws: AccountError.self) { try lock() }
        #expect(error?.code == .inUse)
        try withExtendedLifetime(image) { try #require(image).checkUnchanged() }
        image = nil
        try lock()
    }

    @Test func `progress is told, and stops it with its own error`() throws {
        struct Stop: Error {}
        let account = try SampleAccountFixture(mediaBytes: 3_000_000)
        var last: OperationProgress?
        let image = try ArchiveImage(account.location) { last = $0 }
        #expect(last?.completed == image.entries.reduce(0) { $0 + $1.size })
        #expect(last?.total == last?.completed)
        #expect(throws: Stop.self) { try ArchiveImage(account.location) { _ in throw Stop() } }
    }

    // MARK: Databases

    @Test func `a wrong passphrase is told before anything is read`() throws {
        let account = try SampleAccountFixture()
        let error = #expect(throws: (any Error).self) {
            let wrong = Array(("x'" + String(repeating: "5b", count: 32) + "'").utf8)
            _ = try ArchiveImage(account.location, passphrase: SecretBytes(copying: wrong)) { _ in
                Issue.record("it was read")
            }
        }
        #expect((error as? any Failure)?.code == .wrongPassphrase)
        // Without one, nothing is proved.
        #expect(try ArchiveImage(account.location).size == image(account).size)
    }

    @Test(arguments: AccountDatabase.allCases, ["-journal", "-wal"])
    func `an account with a journal or a log is refused`(database: AccountDatabase, suffix: String) throws {
        let account = try SampleAccountFixture()
        let path = account.location.path(of: database)
        try account.fileSystem.replace(path.appendingSuffix(suffix), with: [1, 2, 3])
        let before = try account.files()
        let error = #expect(throws: AccountArchiveError.self) { try image(account) }
        #expect(error?.kind == .needsFolding)
        #expect(error?.subject == path.string)
        let isUntouched = try account.files() == before
        #expect(isUntouched)
    }

    @Test(arguments: AccountDatabase.allCases)
    func `without a database there is no image`(database: AccountDatabase) throws {
        let account = try SampleAccountFixture()
        try account.fileSystem.remove(account.location.path(of: database))
        let error = #expect(throws: AccountError.self) { try image(account) }
        #expect(error?.code == .notFound)
    }
}

extension ByteSource {
    /// Its bytes from there on, read in pieces of an odd size.
    func bytes(at offset: Int64 = 0, count: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try [UInt8](unsafeUninitializedCapacity: min(777_777, count - bytes.count)) {
                $1 = try read(into: UnsafeMutableRawBufferPointer($0), at: offset + Int64(bytes.count))
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
