import Foundation
import Testing

/// The `sqlcipher` shell, which judges what is read and written here.
struct CipherShell {
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
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlcipher", "-batch", "-bail", path(name)]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        input.fileHandleForWriting.write(Data((statements.joined(separator: ";\n") + ";\n").utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
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
