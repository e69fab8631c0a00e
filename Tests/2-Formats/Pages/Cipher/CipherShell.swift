import Foundation
import TestPeers
import Testing

/// The `sqlcipher` shell, which judges what is read and written here.
struct CipherShell {
    static let isThere = OtherProgram.isThere("sqlcipher")

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "valise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Runs statements on a database and returns what the shell prints.
    @discardableResult
    func run(_ name: String, _ statements: [String]) throws -> String {
        let shell = try #require(OtherProgram("sqlcipher"))
        let (status, text) = try shell.run(
            ["-batch", "-bail", path(name)], input: statements.joined(separator: ";\n") + ";\n")
        #expect(status == 0, "\(text)")
        return text
    }

    /// Statements that fill a database with a few hundred pages of different kinds.
    static func content(rows: Int = 400) -> [String] {
        [
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB)",
            "CREATE INDEX t_a ON t(a)",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
                + "INSERT INTO t SELECT i, 'row ' || i, randomblob(abs(random()) % 3000) FROM n",
            "DELETE FROM t WHERE id % 7 = 0",
        ]
    }
}
