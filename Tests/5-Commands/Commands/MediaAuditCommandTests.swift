import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFiles

/// `valise media audit` and the media of `valise account status`: statuses and what they print.
struct MediaAuditCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var account: AccountLocation { AccountLocation(directory: folder.appending("account")) }
    private var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: account.directory.string, "--messages", "150")
    }

    private func audit(_ path: FilePath, _ more: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["media", "audit", path.string, key] + more)
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    private func connect() throws -> Connection {
        try Connection(account.path(of: .chat), mode: .readWrite, passphrase: AccountState.key())
    }

    private func forgetMissing() throws {
        let connection = try connect()
        for row in try connection.rows("SELECT file_id, file_path FROM files WHERE file_path IS NOT NULL") {
            guard let id = row[0].integer, let name = row[1].text else { continue }
            if try fileSystem.exists(account.filesFolder.appending(name)) { continue }
            try connection.run("DELETE FROM files WHERE file_id = ?", [.integer(id)])
        }
    }

    private func archive() throws -> FilePath {
        let path = folder.appending("a.zip")
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        let outcome = try Program.valise(
            "archive", "export", account.directory.string, path.string, key, "--quiet")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    @Test func `0, 3 and 13, in a folder and in an archive`() throws {
        for path in [account.directory, try archive()] {
            let outcome = try audit(path)
            #expect(outcome.status == 3, "\(outcome.errors)")
            #expect(outcome.output.contains("1 missing"))
        }
        try forgetMissing()
        for path in [account.directory, try archive()] {
            let outcome = try audit(path)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.hasSuffix("the media are intact\n"))
        }
        let row = try connect().rows(
            """
            SELECT file_id, file_path, chat_item_id FROM files
            WHERE file_crypto_key IS NOT NULL AND ci_file_status LIKE '%complete' LIMIT 1
            """)
        let name = try #require(row.first?[1].text)
        let path = account.filesFolder.appending(name)
        var bytes = try fileSystem.contents(of: path, limit: 1 << 26)
        bytes[bytes.count - 1] ^= 1
        try fileSystem.replace(path, with: bytes)
        for path in [account.directory, try archive()] {
            let outcome = try audit(path, "--json")
            #expect(outcome.status == 13)
            let report = try json(outcome)
            #expect(report["type"] as? String == "mediaAudit")
            let problem = try #require((report["problems"] as? [[String: Any]])?.first)
            #expect(problem["path"] as? String == name)
            #expect(problem["verdict"] as? String == "damaged")
            #expect(problem["itemId"] as? Int64 == row.first?[2].integer)
            let counts = try #require(report["counts"] as? [String: [String: Any]])
            #expect(counts["damaged"]?["count"] as? Int == 1)
        }
    }

    @Test func `a wrong passphrase is 12, nothing there 10, no archive 13`() throws {
        let wrong = folder.appending("wrong")
        try fileSystem.replace(wrong, with: Array(AccountState.otherPassphrase.utf8))
        for path in [account.directory, try archive()] {
            let outcome = try Program.valise("media", "audit", path.string, "--passphrase-file=\(wrong)")
            #expect(outcome.status == 12, "\(outcome.errors)")
        }
        #expect(try audit(folder.appending("nowhere")).status == 10)
        try fileSystem.replace(folder.appending("text.zip"), with: Array("no archive, but long enough".utf8))
        #expect(try audit(folder.appending("text.zip")).status == 13)
    }

    @Test func `account status tells how much is encrypted, plain and missing`() throws {
        let text = try Program.valise("account", "status", account.directory.string, key).output
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  media ") })
        #expect(
            line.contains(" encrypted, ") && line.contains(" unencrypted, ") && line.hasSuffix("1 missing"))
        let status = try json(
            try Program.valise("account", "status", account.directory.string, key, "--json"))
        let summary = try #require(status["mediaSummary"] as? [String: [String: Any]])
        #expect(summary["missing"]?["count"] as? Int == 1)
        let without = try Program.valise("account", "status", account.directory.string, "--json")
        #expect(try json(without)["mediaSummary"] == nil)
    }

    @Test func `account status says how many rows it could not count`() throws {
        try connect().execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = 'files';
            PRAGMA writable_schema = RESET;
            UPDATE files SET file_size = 'much'
            WHERE file_id IN (SELECT file_id FROM files WHERE file_path IS NOT NULL ORDER BY file_id LIMIT 2);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = sql || ' STRICT' WHERE name = 'files';
            PRAGMA writable_schema = RESET
            """)
        let text = try Program.valise("account", "status", account.directory.string, key)
        #expect(text.status == 0 && text.output.contains(", 2 damaged rows not counted\n"), "\(text.output)")
        #expect(text.output.contains("valise account check"), "\(text.output)")
        let status = try json(
            try Program.valise("account", "status", account.directory.string, key, "--json"))
        #expect((status["mediaSummary"] as? [String: Any])?["damagedRows"] as? Int == 2)
    }
}
