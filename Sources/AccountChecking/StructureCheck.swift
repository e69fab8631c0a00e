import Accounts
import Database
import Failures
import Files

/// Lets SQLite walk through tables and indexes.
struct StructureCheck {
    private let isQuick: Bool
    private static let mostMessages = 100

    /// - Parameter isQuick: indexes are not compared with their tables.
    init(isQuick: Bool) {
        self.isQuick = isQuick
    }

    func run(_ checked: inout CheckedDatabase, _ progress: ProgressHandler) throws {
        let activity = "walking through the tables of the \(checked.database.rawValue) database"
        do {
            let connection = try checked.connect()
            let roots = try TreeRoots(connection)
            var problems: [DatabaseProblem] = []
            try connection.supervised {
                try progress(WorkProgress(activity))
            } _: {
                problems = try structure(connection, roots)
                if !isQuick { problems += try references(connection) }
            }
            problems.forEach { checked.findings.add($0) }
            checked.findings.isWalked = true
        } catch let error as DatabaseError {
            let isDamage = error.code == .damaged || error.isNotADatabase
            checked.findings.add(DatabaseProblem(isDamage ? .structure : .unreadable, error.message))
        }
    }

    private func structure(
        _ connection: borrowing Connection, _ roots: TreeRoots
    ) throws -> [DatabaseProblem] {
        let pragma = isQuick ? "quick_check" : "integrity_check"
        return try connection.rows("PRAGMA \(pragma)(\(Self.mostMessages))").compactMap { row in
            guard let text = row[0].text, text != "ok" else { return nil }
            // SQLite puts a line before what it says of trees.
            let message = text.split(separator: "\n").filter { !$0.hasPrefix("***") }.joined(separator: "; ")
            var problem = DatabaseProblem(.structure, message)
            problem.page = Self.number(after: "page ", in: message)
            let root = Self.number(after: "Tree ", in: message)
            problem.table = root.flatMap { roots.names[$0] }
            return problem
        }
    }

    private static func number(after word: String, in text: String) -> UInt32? {
        // By hand: `range(of:)` is Foundation's.
        let words = Array(word)
        let characters = Array(text)
        for start in characters.indices where characters[start...].starts(with: words) {
            let digits = characters[(start + words.count)...].prefix { $0.isASCII && $0.isNumber }
            if let number = UInt32(String(digits)) { return number }
        }
        return nil
    }

    private func references(_ connection: borrowing Connection) throws -> [DatabaseProblem] {
        let rows = try connection.rows(
            """
            SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2
            """)
        return rows.map { row in
            let (table, parent) = (row[0].text ?? "", row[1].text ?? "")
            let count = row[2].integer ?? 0
            var problem = DatabaseProblem(
                .reference,
                "\(count) \(count == 1 ? "row" : "rows") of \(table) refer to rows of \(parent) that are not there"
            )
            problem.table = "table \(table)"
            problem.rows = count
            return problem
        }
    }
}
