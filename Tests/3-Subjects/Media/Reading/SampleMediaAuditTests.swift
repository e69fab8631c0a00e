import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSampleAccounts
import ValiseSecrets

/// Audits of whole encrypted accounts, and of tables that were made to do harm.
struct SampleMediaAuditTests {
    private let folder: TemporaryFolder
    private let location: AccountLocation
    private let fileSystem = FileSystem()

    private static func key(_ digits: String = "5a") throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: digits, count: 32) + "'").utf8))
    }

    init() throws {
        folder = try TemporaryFolder()
        location = AccountLocation(directory: folder.appending("account"))
        try PreparedFolder.place("a sample to audit", at: location.directory) { [location] _ in
            try SampleAccount(.init(messages: 300, mediaBytes: 3 << 20)).build(
                location, passphrase: Self.key())
        }
    }

    @Test func `the sample lacks one file, and all others are whole`() throws {
        let report = try MediaAudit().audit(AccountReader(location), passphrase: Self.key())
        #expect(report.problems.map(\.verdict) == [.missing], "\(report.problems)")
        #expect(report.verified.count > 5)
        #expect(report.count(.ok) == report.files)
        let connection = try Connection(location.path(of: .chat), mode: .readOnly, passphrase: Self.key())
        let summary = try MediaSummary(
            try #require(try MediaRows(connection)), MediaFolder(location, fileSystem: fileSystem))
        #expect(summary.encrypted == report.verified)
        #expect(summary.missing == report.counts[.missing])
        #expect(summary.here.count == report.files && summary.here == report.counts[.ok])
    }

    @Test func `a flipped bit in any encrypted file of the sample is damage of that file`() throws {
        let connection = try Connection(location.path(of: .chat), mode: .readOnly, passphrase: Self.key())
        let rows = try connection.rows(
            "SELECT file_path FROM files WHERE file_crypto_key IS NOT NULL AND ci_file_status LIKE '%complete'"
        )
        var flips = SeededGenerator(seed: 11)
        for row in rows {
            let name = try #require(row[0].text)
            let path = location.filesFolder.appending(name)
            guard try fileSystem.exists(path) else { continue }
            let sound = try fileSystem.contents(of: path, limit: 1 << 26)
            var bytes = sound
            bytes[Int.random(in: bytes.count / 2..<bytes.count, using: &flips)] ^= 0x10
            try fileSystem.replace(path, with: bytes)
            let report = try MediaAudit().audit(AccountReader(location), passphrase: Self.key())
            let problem = try #require(report.problems.first { $0.path == name })
            // Noise under the right key looks like noise under a wrong one.
            #expect(problem.verdict == (name.hasSuffix(".bin") ? .wrongKey : .damaged), "\(name)")
            #expect(report.problemCount == 2)
            try fileSystem.replace(path, with: sound)
        }
        #expect(rows.count > 5)
    }

    @Test func `a wrong passphrase is told, in a folder and in an archive`() throws {
        let archive = folder.appending("a.zip")
        let writer = try ZipWriter(try fileSystem.create(archive))
        for database in AccountDatabase.allCases {
            try OfficialMedia.add(database.archiveName, location.path(of: database), to: writer, .stored)
        }
        _ = try writer.finish()
        let inFolder = try #require(throws: AccountMediaError.self) {
            try MediaAudit().audit(AccountReader(location), passphrase: Self.key("5b"))
        }
        let inArchive = try #require(throws: AccountMediaError.self) {
            try MediaAudit().audit(AccountReader(.archive(archive)), passphrase: Self.key("5b"))
        }
        #expect(inFolder.code == .wrongPassphrase && inArchive.code == .wrongPassphrase)
        #expect(try AccountReader(.archive(archive)).asksForPassphrase())
        let report = try MediaAudit().audit(AccountReader(.archive(archive)), passphrase: Self.key())
        #expect(report.count(.missing) == report.references && report.references > 10)
    }

    @Test func `a log left by a crash is read, on a copy that goes again`() throws {
        let copy = folder.appending("copy")
        do {
            let connection = try Connection(
                location.path(of: .chat), mode: .readWrite, passphrase: Self.key())
            _ = try connection.value("PRAGMA journal_mode = WAL")
            try connection.run("DELETE FROM files")
            try TemporaryFolder.copyTree(location.directory, to: copy)
        }
        let before = try TemporaryFolder.contents(of: copy)
        let report = try MediaAudit().audit(
            AccountReader(AccountLocation(directory: copy)), passphrase: Self.key())
        #expect(report.references == 0 && report.count(.unreferenced) == report.files)
        #expect(report.files > 10)
        #expect(try TemporaryFolder.contents(of: copy) == before)
    }

    // MARK: Hostile tables

    private static let hostile: [Value] = [
        .null, .integer(.min), .integer(.max), .integer(.max - 15), .integer(-1), .integer(0), .integer(16),
        .real(1e300), .real(.nan), .text(""), .text("a"), .text("../../etc/passwd"), .text("/"),
        .text("a\0b"), .text(String(repeating: "/", count: 5000)), .text(String(repeating: "z", count: 300)),
        .text("rcv_complete"), .text("snd_"), .text("image"), .blob([]), .blob([0xff, 0xfe]),
        .blob([UInt8](repeating: 1, count: 32)), .blob([UInt8](repeating: 2, count: 24)),
        .text("2026-99-99 99:99:99"), .text("b"), .text("A"),
    ]

    @Test(arguments: 0..<12) func `no table makes it crash, and each row has a verdict`(seed: UInt64) throws {
        let media = try OfficialMedia(
            columns: """
                file_id, contact_id, group_id, note_folder_id, user_id, chat_item_id, file_name, file_path,
                file_size, created_at, ci_file_status, file_crypto_key, file_crypto_nonce
                """)
        var random = SeededGenerator(seed: seed)
        for (name, size) in [("a", 0), ("b", 16), ("A", 40)] { try media.write(name, media.noise(size)) }
        try media.connection.execute("BEGIN")
        for _ in 0..<600 {
            let values = (0..<13).map { column in
                // Often enough a row that is looked at.
                column == 10 && Bool.random(using: &random)
                    ? Value.text("rcv_complete") : Self.hostile.randomElement(using: &random) ?? .null
            }
            try media.connection.run(
                "INSERT INTO files VALUES (\(Array(repeating: "?", count: 13).joined(separator: ",")))",
                values)
        }
        try media.connection.execute("COMMIT")
        let report = try media.audit()
        let total = report.counts.values.reduce(0) { $0 + $1.count }
        #expect(total == report.references + report.count(.unreferenced), "seed \(seed)")
        #expect(report.references > 100, "seed \(seed)")
        #expect(report.counts.values.allSatisfy { $0.bytes >= 0 })
        // An archive with two such names is refused as a whole.
        try media.fileSystem.remove(media.path("A"))
        let archived = try MediaAudit().audit(
            AccountReader(.archive(media.archive(.stored))), passphrase: SecretBytes.empty())
        #expect(archived.references == report.references, "seed \(seed)")
        let summary = try media.summary()
        #expect(summary.here.count <= 3)
    }
}
