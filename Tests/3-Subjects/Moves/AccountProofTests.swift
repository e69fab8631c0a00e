import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValisePages
import ValiseSampleAccounts
import ValiseSecrets

struct AccountProofTests {
    private let fixture: ProofFixture
    private let fileSystem = FileSystem()

    init() throws {
        fixture = try ProofFixture()
    }

    private static func hex(_ proof: AccountProof) -> [String] {
        [proof.chat, proof.agent, proof.media].map { Hexadecimal.encode($0) }
    }

    /// Something of everything that a schema can have.
    private static let everything = """
        PRAGMA user_version = 7;
        CREATE TABLE plain (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b TEXT, c REAL);
        INSERT INTO plain VALUES (3, 9223372036854775807, 'text', 0.5), (1, NULL, '', -0.25), (2, x'', x'00ff', 1e300),
            (9, -1, CAST(x'ff00fe' AS TEXT), 12);
        CREATE TABLE "a ""quoted"" name" ("select" TEXT, 'o''clock' INT, rowid TEXT);
        INSERT INTO "a ""quoted"" name" VALUES ('x', 1, 'r'), ('y', 2, 's');
        CREATE TABLE keyed (k TEXT, n INT, v BLOB, PRIMARY KEY (k, n)) WITHOUT ROWID;
        INSERT INTO keyed VALUES ('b', 1, zeroblob(70000)), ('a', 2, x'01'), ('a', 1, NULL);
        CREATE TABLE made (x INT, twice INT AS (x * 2) VIRTUAL, thrice INT AS (x * 3) STORED);
        INSERT INTO made (x) VALUES (5), (4);
        CREATE TABLE empty (x);
        CREATE INDEX by_b ON plain (b);
        CREATE VIEW seen AS SELECT a FROM plain;
        CREATE TRIGGER tick AFTER INSERT ON empty BEGIN DELETE FROM empty WHERE x = 1; END;
        """

    @Test func `the digests are those of another program that reads the same format`() throws {
        let location = try fixture.bare(Self.everything, unencrypted: true)
        try fileSystem.makeDirectories(location.filesFolder)
        try fileSystem.makeDirectories(location.wallpapersFolder)
        for (name, text) in [("b.jpg", "picture"), ("a", ""), ("ä.txt", "umlaut")] {
            try fileSystem.replace(location.filesFolder.appending(name), with: Array(text.utf8))
        }
        try fileSystem.replace(location.wallpapersFolder.appending("w.png"), with: [1, 2, 3])
        let proof = try AccountProof.make(location, passphrase: SecretBytes.empty())
        // As Support/proof.py has them.
        #expect(
            Self.hex(proof) == [
                "8d531f939cd1109b600a2fda05a9f9aeb96219a360e6debce5070137e2bc5f3e",
                "c89e459dc04ec3d033bdf6841e1724c46389d0941a044edc5332a78f7f672664",
                "a18abda6bda9d2731dee082b44e83fd70eed3e43a1cadcb150309e661827eaa2",
            ])
        #expect(proof.words.description == "copper crystal flame sweater elbow ribbon pumpkin fossil")
        let first = proof.words.words.map { UInt8(FingerprintWords.list.firstIndex(of: $0) ?? 0) }
        #expect(Hexadecimal.encode(first) == "2d314fde43cabd52")
    }

    @Test func `the sample account has one proof for ever`() throws {
        let proof = try fixture.proof(fixture.sample())
        // It changes with the schema and with the sample; Support/proof.py tells it of decrypted databases.
        #expect(
            Self.hex(proof) == [
                "42986461746359752e6d3d7cc4002bbd6030cb3267605932b6fa89092c383bb8",
                "9e54f42a4e68cbcab6aeb5419b919baac8614e52aa089d27edb1df629de789ed",
                "a23633ba50df39070568039f01f3033f3bb2863051c12705d5bd97d802e87bed",
            ])
    }

    @Test func `what only changes how content is stored changes no proof`() throws {
        let location = try fixture.sample()
        let proof = try fixture.proof(location)
        for database in AccountDatabase.allCases {
            try fixture.run(location, "DROP TABLE IF EXISTS none; VACUUM", database)
        }
        #expect(try fixture.proof(location) == proof)
        _ = try AccountCompaction().run(location, passphrase: ProofFixture.key())
        #expect(try fixture.proof(location) == proof)
        _ = try AccountRekey().run(
            location,
            config: DBEncryptionConfig(currentKey: ProofFixture.key(), newKey: ProofFixture.key("7b")))
        #expect(try fixture.proof(location, "7b") == proof)
    }

    @Test func `a plain account has the proof of an encrypted one`() throws {
        let plain = try fixture.bare(Self.everything, unencrypted: true)
        let encrypted = try fixture.bare(Self.everything, name: "encrypted")
        #expect(
            try AccountProof.make(plain, passphrase: SecretBytes.empty()) == fixture.proof(encrypted))
    }

    @Test func `statistics of the query planner are no content`() throws {
        let location = try fixture.bare(Self.everything)
        let proof = try fixture.proof(location)
        try fixture.run(location, "ANALYZE")
        #expect(try fixture.proof(location) == proof)
    }

    @Test func `every difference of a value, a row, a table or the schema shows`() throws {
        let changes = [
            "UPDATE plain SET a = 9223372036854775806 WHERE id = 3", "UPDATE plain SET a = 0.0 WHERE id = 1",
            "UPDATE plain SET a = '' WHERE id = 2", "UPDATE plain SET b = NULL WHERE id = 1",
            "UPDATE plain SET b = CAST(x'ff00ff' AS TEXT) WHERE id = 9",
            "UPDATE plain SET b = 'text ' WHERE id = 3",
            "UPDATE plain SET c = 0.5000000000000001 WHERE id = 3",
            "UPDATE plain SET b = x'74657874' WHERE id = 3",
            "UPDATE plain SET id = 4 WHERE id = 3", "DELETE FROM plain WHERE id = 1",
            "INSERT INTO empty VALUES (NULL)", "UPDATE keyed SET v = zeroblob(70001) WHERE k = 'b'",
            "UPDATE keyed SET v = x'' WHERE v IS NULL", "UPDATE made SET x = 6 WHERE x = 5",
            "UPDATE sqlite_sequence SET seq = 10", "DROP TABLE empty", "CREATE TABLE more (x)",
            "DROP VIEW seen", "DROP INDEX by_b", "CREATE INDEX by_c ON plain (c)", "DROP TRIGGER tick",
            "ALTER TABLE empty RENAME TO empty2", "ALTER TABLE empty RENAME COLUMN x TO y",
            "ALTER TABLE empty ADD COLUMN z", "PRAGMA user_version = 8",
            "DELETE FROM made; INSERT INTO made (x) VALUES (4), (5)",
        ]
        let proof = try fixture.proof(fixture.bare(Self.everything))
        var seen: Set<[UInt8]> = [proof.chat]
        for (number, change) in changes.enumerated() {
            let location = try fixture.bare(Self.everything, name: "changed-\(number)")
            try fixture.run(location, change)
            let changed = try fixture.proof(location)
            #expect(seen.insert(changed.chat).inserted, "\(change)")
            #expect(changed.agent == proof.agent && changed.media == proof.media)
            #expect(changed.words != proof.words)
        }
    }

    @Test func `any value of any table of the sample account counts`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the changed values: \(seed)")
        var random = SeededGenerator(seed: seed)
        let location = try fixture.sample()
        let proof = try fixture.proof(location)
        for _ in 0..<25 {
            let database = AccountDatabase.allCases.randomElement(using: &random) ?? .chat
            let previous = try fileSystem.contents(of: location.path(of: database), limit: 1 << 30)
            let change = try Self.change(location, database, &random)
            let changed = try fixture.proof(location)
            #expect(
                database == .chat ? changed.chat != proof.chat : changed.agent != proof.agent,
                "\(seed): \(change)")
            #expect(database == .chat ? changed.agent == proof.agent : changed.chat == proof.chat)
            try fileSystem.replace(location.path(of: database), with: previous)
        }
        #expect(try fixture.proof(location) == proof)
    }

    /// Changes one value, or removes a row, without what constraints would say.
    private static func change(
        _ location: AccountLocation, _ database: AccountDatabase, _ random: inout SeededGenerator
    ) throws -> String {
        let connection = try Connection(
            location.path(of: database), mode: .readWrite, passphrase: ProofFixture.key())
        try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        let tables = try connection.rows("PRAGMA table_list").filter {
            $0[0].text == "main" && $0[2].text == "table" && !($0[1].text ?? "").hasPrefix("sqlite_")
        }.compactMap { $0[1].text }.sorted()
        while true {
            guard let table = tables.randomElement(using: &random),
                try connection.value("SELECT count(*) FROM \(table.quoted)")?.integer ?? 0 > 0
            else { continue }
            let columns = try connection.rows("PRAGMA table_info(\(table.quoted))")
            guard let column = columns.randomElement(using: &random)?[1].text else { continue }
            let name = column.quoted
            let sql =
                Bool.random(using: &random)
                ? "DELETE FROM \(table.quoted) WHERE \(name) IS (SELECT \(name) FROM \(table.quoted) LIMIT 1)"
                : """
                UPDATE OR IGNORE \(table.quoted) SET \(name) = CASE typeof(\(name)) WHEN 'integer' THEN \(name) + 1
                WHEN 'text' THEN \(name) || 'x' WHEN 'blob' THEN CAST(\(name) || 'x' AS BLOB) ELSE 77 END
                WHERE \(name) IS (SELECT \(name) FROM \(table.quoted) LIMIT 1)
                """
            // A constraint of the column may not let it be.
            let before = try connection.value("SELECT total_changes()")
            guard (try? connection.execute(sql)) != nil,
                try connection.value("SELECT total_changes()") != before
            else { continue }
            return sql
        }
    }

    @Test func `every byte, name and place of media counts`() throws {
        let location = try fixture.sample()
        let proof = try fixture.proof(location)
        let names = try fileSystem.list(location.filesFolder).compactMap(\.name)
        let file = location.filesFolder.appending(try #require(names.first))
        let previous = try fileSystem.contents(of: file, limit: 1 << 30)
        var seen: Set<[UInt8]> = [proof.media]
        func expectsAnother(_ what: String) throws {
            let changed = try fixture.proof(location)
            #expect(seen.insert(changed.media).inserted, "\(what)")
            #expect(changed.chat == proof.chat && changed.agent == proof.agent)
        }
        var flipped = previous
        flipped[flipped.count / 2] ^= 1
        try fileSystem.replace(file, with: flipped)
        try expectsAnother("a bit")
        try fileSystem.replace(file, with: previous + [0])
        try expectsAnother("a byte more")
        try fileSystem.rename(file, to: location.filesFolder.appending("renamed"))
        try fileSystem.replace(location.filesFolder.appending("renamed"), with: previous)
        try expectsAnother("a name")
        try fileSystem.remove(location.filesFolder.appending("renamed"))
        try expectsAnother("a file less")
        try fileSystem.replace(file, with: previous)
        #expect(try fixture.proof(location) == proof)
        try fileSystem.replace(location.wallpapersFolder.appending("another.png"), with: [])
        try expectsAnother("a wallpaper")
    }

    @Test func `digests that are known are taken, and what no archive takes is not read`() throws {
        let location = try fixture.sample()
        let proof = try fixture.proof(location)
        try fileSystem.makeDirectory(location.filesFolder.appending("folder"))
        try fileSystem.replace(location.filesFolder.appending("folder/inside"), with: [1])
        try fileSystem.replace(location.filesFolder.appending("con.txt"), with: [1])
        var known: [String: [UInt8]] = [:]
        let folders = [
            ("simplex_v1_files", location.filesFolder),
            ("simplex_v1_assets/wallpapers", location.wallpapersFolder),
        ]
        for (folder, path) in folders where try fileSystem.isDirectory(path) {
            for name in try fileSystem.list(path).filter({ $0.kind == .regular }).compactMap(\.name) {
                known["\(folder)/\(name)"] = SHA256.hash(
                    try fileSystem.contents(of: path.appending(name), limit: 1 << 30))
            }
        }
        #expect(try AccountProof.make(location, passphrase: ProofFixture.key(), mediaDigests: known) == proof)
        known[try #require(known.keys.filter { $0 != "simplex_v1_files/con.txt" }.min())] = SHA256.hash([])
        #expect(
            try AccountProof.make(location, passphrase: ProofFixture.key(), mediaDigests: known).media
                != proof.media)
        // What an archive could not take is not proved either.
        let lost = try #require(known.keys.filter { $0.hasPrefix("simplex_v1_files/") }.max())
        known[lost] = nil
        let partial = try AccountProof.make(location, passphrase: ProofFixture.key(), mediaDigests: known)
        #expect(partial.media != proof.media && partial.chat == proof.chat)
        known = known.mapValues { _ in [1] }
        #expect(throws: DeviceMigrationError.self) {
            try AccountProof.make(location, passphrase: ProofFixture.key(), mediaDigests: known)
        }
    }

    @Test func `a wrong passphrase is told as such`() throws {
        let location = try fixture.bare("CREATE TABLE t (x)")
        for isEmpty in [true, false] {
            #expect {
                try AccountProof.make(
                    location, passphrase: isEmpty ? SecretBytes.empty() : ProofFixture.key("00"))
            } throws: {
                ($0 as? DeviceMigrationError)?.kind == .wrongPassphrase
            }
        }
    }

    @Test func `progress comes to its end and stops the work`() throws {
        let location = try fixture.sample()
        var last: OperationProgress?
        _ = try AccountProof.make(location, passphrase: ProofFixture.key()) { progress in
            #expect(progress.completed >= last?.completed ?? 0 && progress.completed <= progress.total ?? 0)
            last = progress
        }
        #expect(last.map { $0.completed > 0 } == true)
        #expect(throws: Interruption.self) {
            try AccountProof.make(location, passphrase: ProofFixture.key()) { _ in throw Interruption() }
        }
    }
}
