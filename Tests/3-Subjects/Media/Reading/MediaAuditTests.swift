import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// Each verdict, made on purpose in an account with the official names.
struct MediaAuditTests {
    private let media: OfficialMedia

    init() throws { media = try OfficialMedia() }

    private func problem(_ path: String) throws -> MediaAuditReport.Problem {
        try #require(try media.audit().problems.first { $0.path == path })
    }

    @Test func `what is in order has no problem, and nothing is written`() throws {
        for size in [0, 1, 15, 16, 17, 63, 64, 5000, 512 << 10, (512 << 10) + 1] {
            try media.add("encrypted_\(size)", media.noise(size))
            try media.add("plain_\(size)", media.noise(size), isEncrypted: false)
        }
        let before = try TemporaryFolder.contents(of: media.location.directory)
        let report = try media.audit()
        #expect(report.isClean, "\(report.problems)")
        #expect(report.references == 20 && report.files == 20)
        #expect(report.count(.ok) == 20)
        #expect(report.verified.count == 10)
        #expect(try TemporaryFolder.contents(of: media.location.directory) == before)
    }

    @Test func `a key of another row is named, of whatever size its file is`() throws {
        let first = try media.add("a.jpg", media.image())
        let second = try media.add("b.jpg", media.image())
        let third = try media.add("c.jpg", media.image(777))
        try media.write("a.jpg", media.sealed(second))
        try media.write("b.jpg", media.sealed(third))
        try media.write("c.jpg", media.sealed(first))
        let problems = try media.audit().problems
        #expect(problems.map(\.verdict) == [.wrongKey, .wrongKey, .wrongKey])
        #expect(problems.map(\.otherFileID) == [second.fileID, third.fileID, first.fileID])
    }

    @Test func `a key of nobody is wrong, and so is one for noise that was damaged`() throws {
        let file = try media.add("a.jpg", media.image())
        try media.connection.run(
            "UPDATE files SET file_crypto_key = ? WHERE file_id = ?",
            [.blob(media.noise(32)), .integer(file.fileID)])
        #expect(try problem("a.jpg").verdict == .wrongKey)
        #expect(try problem("a.jpg").message.contains("or damaged from the start"))
    }

    @Test func `content that makes sense under the key is damaged, wherever the bit is`() throws {
        var flips = SeededGenerator(seed: 3)
        for (name, content) in [
            ("image", media.image()), ("text", OfficialMedia.text(3000)),
            // Without a head that is known, and uneven.
            ("uneven", media.noise(4000).map { $0 & 0x3f }), ("short", OfficialMedia.text(20)),
            ("large.jpg", media.image(17 << 20)),
        ] {
            let file = try media.add(name, content)
            let sound = try media.sealed(file)
            // Not in the head, which is what shows that the key is right.
            let places = [sound.count - 17, sound.count - 16, sound.count - 1]
            let random = name == "large.jpg" ? 2 : 20
            for place in places
                + (0..<random).map({ _ in
                    Int.random(in: min(64, sound.count - 17)..<sound.count, using: &flips)
                })
            {
                var bytes = sound
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &flips)
                try media.write(name, bytes)
                let isTiny = name == "short" && place < content.count
                let verdict = try problem(name).verdict
                // A bit in twenty characters may make one that is no text.
                #expect(verdict == .damaged || isTiny && verdict == .wrongKey, "\(name) at \(place)")
            }
            try media.write(name, sound)
            #expect(try media.audit().isClean)
        }
    }

    @Test func `no bit of any file can change unseen`() throws {
        let file = try media.add("a", media.noise(70))
        let sound = try media.sealed(file)
        for place in sound.indices {
            for bit in FaultSweep.turn(of: Array(0..<8), at: place) {
                var bytes = sound
                bytes[place] ^= 1 << UInt8(bit)
                try media.write("a", bytes)
                let report = try media.audit()
                #expect(report.hasDamage && report.count(.ok) == 0, "byte \(place), bit \(bit)")
            }
        }
    }

    @Test func `a file that is cut off is damaged, and a longer one has a wrong size`() throws {
        let file = try media.add("a.jpg", media.image())
        let sound = try media.sealed(file)
        for count in [1, 2, 15, 16, 17, 100, 4000] {
            try media.write("a.jpg", sound.dropLast(count))
            #expect(try problem("a.jpg").verdict == .damaged, "without \(count)")
        }
        for count in [0, 1, 5, 15, 16] {
            try media.write("a.jpg", Array(sound.prefix(count)))
            #expect(try media.audit().hasDamage, "only \(count)")
        }
        try media.write("a.jpg", sound + [0])
        #expect(try problem("a.jpg").verdict == .wrongSize)
        // The tag holds, and the row says another size.
        try media.write("a.jpg", sound)
        try media.connection.execute("UPDATE files SET file_size = file_size - 1")
        #expect(try problem("a.jpg").verdict == .wrongSize)
        #expect(try problem("a.jpg").message.contains("the tag is valid"))
        try media.connection.execute("UPDATE files SET file_size = -1")
        #expect(try problem("a.jpg").verdict == .wrongSize)
    }

    @Test(arguments: [0, 1, 2]) func `a plain file with a key is told from one without its tag`(
        _ kind: Int
    ) throws {
        let content = [media.image(), OfficialMedia.text(500), media.noise(2000).map { $0 | 0x81 }][kind]
        let file = try media.add("a", content)
        try media.write("a", content)
        #expect(try problem("a").verdict == .unencryptedWithKey)
        try media.write("a", media.sealed(file).dropLast(16))
        #expect(try problem("a").verdict == .damaged)
        #expect(try problem("a").message.contains("truncated"))
    }

    @Test func `noise of the content's size could be either, and is not called whole`() throws {
        try media.add("a", media.noise(2000))
        try media.write("a", media.noise(2000))
        #expect(try problem("a").verdict == .wrongSize)
    }

    @Test func `an encrypted file without a key is told, and whose key opens it`() throws {
        let file = try media.add("a.jpg", media.image())
        try media.add("other.jpg", media.image())
        try media.connection.run(
            "UPDATE files SET file_crypto_key = NULL, file_crypto_nonce = NULL WHERE file_id = ?",
            [.integer(file.fileID)])
        #expect(try problem("a.jpg").verdict == .encryptedWithoutKey)
        #expect(try problem("a.jpg").otherFileID == nil)
        // A row that has the key for another name, such as one of a restored copy.
        try media.row(
            900, "lost.jpg", Int64(file.content.count), [.blob(file.key), .blob(file.nonce)])
        let found = try problem("a.jpg")
        #expect(found.verdict == .encryptedWithoutKey && found.otherFileID == 900)
        #expect(found.itemID == file.fileID + 100)
        #expect(try problem("lost.jpg").verdict == .missing)
        // Sixteen bytes more that are plain all the same.
        try media.write("a.jpg", media.image(5016))
        #expect(try problem("a.jpg").verdict == .wrongSize)
        try media.write("a.jpg", media.image(5015))
        #expect(try problem("a.jpg").verdict == .wrongSize)
    }

    @Test func `half a key, and keys that are none, are broken`() throws {
        let broken: [[Value]] = [
            [.blob(media.noise(32)), .null], [.null, .blob(media.noise(24))],
            [.blob(media.noise(31)), .blob(media.noise(24))], [.blob([]), .blob([])],
            [.text(String(repeating: "é", count: 32)), .blob(media.noise(24))], [.integer(5), .integer(6)],
        ]
        for (index, keys) in broken.enumerated() {
            try media.write("\(index)", media.image())
            try media.row(Int64(index + 1), "\(index)", 5000, keys)
        }
        #expect(try media.audit().count(.brokenKey) == broken.count)
    }

    @Test func `missing and unreferenced files, and transfers that are not complete`() throws {
        try media.add("gone.jpg", media.image(), hasFile: false)
        try media.write("nobody's.jpg", [1, 2, 3])
        for (index, status) in ["rcv_transfer 5 10", "rcv_accepted", "rcv_aborted", "unknown"].enumerated() {
            try media.add("part_\(index)", media.noise(100), status: status)
            try media.write("part_\(index)", media.noise(5))
        }
        try media.add("sent.jpg", media.image(), status: "snd_transfer 5 10")
        let report = try media.audit()
        #expect(try media.verdicts(report) == ["gone.jpg": .missing, "nobody's.jpg": .unreferenced])
        #expect(report.references == 2)
        #expect(!report.hasDamage && !report.isClean)
        #expect(report.counts[.unreferenced]?.bytes == 3)
        #expect(report.counts[.missing]?.bytes == 5016)
    }

    // MARK: Several rows and one file

    @Test func `rows with the same key share a file, also its damage`() throws {
        let file = try media.add("a.jpg", media.image())
        let keys: [Value] = [.blob(file.key), .blob(file.nonce)]
        try media.row(50, "./a.jpg", 5000, keys)
        #expect(try media.audit().isClean)
        #expect(try media.audit().count(.ok) == 2)
        #expect(try media.audit().verified.count == 1)
        var bytes = try media.bytes("a.jpg")
        bytes[4000] ^= 1
        try media.write("a.jpg", bytes)
        #expect(try media.audit().problems.map(\.verdict) == [.damaged, .damaged])
    }

    @Test(arguments: [false, true]) func `rows with different keys collide, and the one that fits is told`(
        fitsFirst: Bool
    ) throws {
        let first = try media.add("a.jpg", media.image())
        let second = try media.add("a.jpg", media.image())
        if fitsFirst { try media.write("a.jpg", media.sealed(first)) }
        try media.row(77, "a.jpg", 123, [.null, .null])
        let owner = fitsFirst ? first.fileID : second.fileID
        let report = try media.audit()
        #expect(report.problems.map(\.verdict) == [.nameCollision, .nameCollision, .nameCollision])
        for problem in report.problems {
            #expect(problem.otherFileID == (problem.fileID == owner ? nil : owner))
        }
        #expect(!report.hasDamage)
        // Where none fits it is damage.
        try media.write("a.jpg", media.noise(5016))
        #expect(try media.audit().hasDamage)
        #expect(try media.audit().problemCount == 3)
    }

    @Test func `names that Windows and macOS take for one collide`() throws {
        try media.add("Photo.JPG", media.image())
        try media.add("photo.jpg", media.image())
        try media.add("cafe\u{301}", media.image())
        try media.add("caf\u{e9}", media.image(), isEncrypted: false)
        let report = try media.audit()
        #expect(try media.verdicts(report) == ["photo.jpg": .nameCollision, "caf\u{e9}": .nameCollision])
        #expect(report.count(.ok) == 2)
    }

    // MARK: Names

    @Test func `names of every kind are found where they are`() throws {
        let long = String(repeating: "x", count: 255)
        let names = [
            "тест 日本語 👩‍👩‍👧", "a b\tc\nd", long, "sub/folder/a.jpg", "back\\slash", "%s%n", "-rf", ".hidden",
        ]
        for name in names { try media.add(name, media.image(100)) }
        let inside = media.path("inside.jpg").string
        let file = try media.add("inside.jpg", media.image(100))
        try media.connection.run(
            "UPDATE files SET file_path = ? WHERE file_id = ?", [.text(inside), .integer(file.fileID)])
        let report = try media.audit()
        #expect(report.isClean, "\(report.problems)")
        #expect(report.count(.ok) == names.count + 1)
    }

    @Test func `names that lead nowhere have their verdicts`() throws {
        let outside = media.folder.appending("outside.jpg").string
        let expected: [(String, MediaVerdict)] = [
            (outside, .elsewhere), ("../outside.jpg", .elsewhere), ("a/../b", .elsewhere), ("", .elsewhere),
            ("..", .elsewhere), ("/", .elsewhere), (".", .elsewhere),
            (String(repeating: "y", count: 256), .impossibleName),
            (Array(repeating: "folder", count: 900).joined(separator: "/"), .impossibleName),
            ("file.jpg/below", .missing), ("a folder", .notAFile), ("a link", .link),
            ("linked/file.jpg", .link), ("dangling", .link),
        ]
        try media.write("file.jpg", [1])
        try media.fileSystem.makeDirectory(media.path("a folder"))
        for (name, target) in [("a link", "file.jpg"), ("linked", ".."), ("dangling", "nothing")] {
            try symlink(target, media.path(name))
        }
        for (index, (path, _)) in expected.enumerated() {
            try media.row(Int64(index + 1), path, 1, [.null, .null])
        }
        let report = try media.audit()
        let found = Dictionary(
            uniqueKeysWithValues: report.problems.compactMap { problem in
                problem.fileID.map { ($0, problem.verdict) }
            })
        for (index, (path, verdict)) in expected.enumerated() {
            #expect(found[Int64(index + 1)] == verdict, "\(path.prefix(40))")
        }
        #expect(!report.hasDamage)
        #expect(report.count(.unreferenced) == 1)
    }

    private func symlink(_ target: String, _ path: FilePath) throws {
        try #require(
            path.withPlatformString { path in target.withCString { systemSymlink($0, path) } } == 0)
    }

    @Test func `a file that an archive flattened is not called unreferenced`() throws {
        try media.row(1, "/home/somebody/Pictures/flat.jpg", 5, [.null, .null])
        try media.write("flat.jpg", [1, 2, 3])
        #expect(try media.audit().problems.map(\.verdict) == [.elsewhere])
    }

    // MARK: Other databases

    @Test func `a database without columns for keys has plain files`() throws {
        let old = try OfficialMedia(columns: OfficialMedia.officialColumns)
        try old.connection.run(
            """
            INSERT INTO files (file_id, file_path, file_size, ci_file_status)
            VALUES (1, 'a', 3, 'snd_stored'), (2, 'b', 3, 'rcv_complete'), (3, CAST('c' AS BLOB), 3, 'rcv_complete'),
                (4, NULL, 3, 'rcv_complete')
            """)
        for name in ["a", "b", "c"] { try old.write(name, [1, 2, 3]) }
        try old.write("b", [1])
        let report = try old.audit()
        #expect(try old.verdicts(report) == ["b": .wrongSize])
        #expect(report.count(.ok) == 2)
    }

    @Test func `text that is stored as blobs is read, in the fewest columns`() throws {
        let small = try OfficialMedia(columns: "file_id INTEGER, file_path, file_size, ci_file_status")
        try small.connection.run(
            """
            INSERT INTO files VALUES (1, CAST('ü' AS BLOB), 3, CAST('snd_complete' AS BLOB)), (1, 'twin id', 2, 'snd_complete')
            """)
        try small.write("ü", [1, 2, 3])
        let report = try small.audit()
        #expect(report.count(.ok) == 1)
        #expect(try small.verdicts(report) == ["twin id": .missing])
    }

    @Test func `another database is refused`() throws {
        try media.connection.execute("DROP TABLE files")
        let error = try #require(throws: AccountMediaError.self) { try media.audit() }
        #expect(error.code == .unsupported)
    }

    @Test func `a store that cannot be read is told file by file`() throws {
        try media.add("a", media.image())
        try media.add("b", media.image(), isEncrypted: false)
        let store = FailingStore(
            folder: try MediaFolder(media.location, fileSystem: media.fileSystem), finds: true)
        let report = try MediaAudit().audit(media.connection, store, path: "x")
        #expect(try media.verdicts(report) == ["a": .unreadable])
        #expect(!report.hasDamage)
        let blind = FailingStore(
            folder: try MediaFolder(media.location, fileSystem: media.fileSystem), finds: false)
        #expect(try MediaAudit().audit(media.connection, blind, path: "x").count(.unreadable) == 2)
    }

    private struct FailingStore: MediaStore {
        let folder: MediaFolder
        let finds: Bool

        func find(_ path: String) throws -> MediaPlace {
            guard finds else { throw FileError(.denied, "no", FilePath(path)) }
            return try folder.find(path)
        }
        func forEach(_ body: (String, Int64) throws -> Void) throws {}
        func source(_ name: String) throws -> any ByteSource {
            throw FileError(.denied, "no", FilePath(name))
        }
    }

    @Test func `the list of problems is bounded, and the counts are not`() throws {
        try media.connection.execute("BEGIN")
        for number in 1...1300 { try media.row(Int64(number), "gone_\(number)", 5, [.null, .null]) }
        try media.connection.execute("COMMIT")
        let report = try media.audit()
        #expect(report.problems.count == 1000)
        #expect(report.problemCount == 1300)
        #expect(report.counts[.missing]?.bytes == 6500)
    }

    @Test func `it stops wherever it is told to`() throws {
        struct Stopped: Error {}
        for number in 0..<5 { try media.add("a\(number)", media.image(100_000)) }
        try media.add("large", media.image(17 << 20))
        var calls = 0
        _ = try MediaAudit().audit(AccountReader(media.location), passphrase: SecretBytes.empty()) {
            progress in
            calls += 1
            if let total = progress.total { #expect(progress.completed <= total) }
        }
        #expect(calls > 3)
        for stop in 0..<min(calls, 4) {
            var call = 0
            #expect(throws: Stopped.self) {
                try MediaAudit().audit(AccountReader(media.location), passphrase: SecretBytes.empty()) { _ in
                    defer { call += 1 }
                    if call == stop { throw Stopped() }
                }
            }
        }
    }

    // MARK: Archives

    @Test(arguments: [ZipMethod.stored, .deflated]) func `an archive has the verdicts of its folder`(
        method: ZipMethod
    ) throws {
        let flipped = try media.add("flipped.jpg", media.image())
        var bytes = try media.sealed(flipped)
        bytes[3000] ^= 4
        try media.write("flipped.jpg", bytes)
        let plain = try media.add("plain.txt", OfficialMedia.text(400))
        try media.write("plain.txt", plain.content)
        try media.add("gone", media.image(), hasFile: false)
        try media.add("whole", media.noise(100_000))
        try media.add("short", media.image(), isEncrypted: false)
        try media.write("short", [1])
        try media.write("nobody's", [1])
        try media.row(80, "/elsewhere/x", 1, [.null, .null])
        try media.row(81, "whole", 1, [.null, .null])
        let folder = try media.audit()
        let archive = try MediaAudit().audit(
            AccountReader(.archive(media.archive(method))), passphrase: SecretBytes.empty())
        #expect(folder.problemCount == 8)
        #expect(archive.problems == folder.problems)
        #expect(archive.counts == folder.counts && archive.files == folder.files)
        #expect(archive.verified == folder.verified && folder.verified.count == 1)
    }
}
