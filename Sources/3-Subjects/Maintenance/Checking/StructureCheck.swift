import ValiseDatabase
import ValiseEncoding
import ValiseFailures

/// Lets SQLite walk through tables and indexes.
struct StructureCheck {
    private let isQuick: Bool
    private static let mostMessages = 100
    /// A walk through an index asks for the table's pages in no order. In KiB.
    private static let cacheSize = 48 << 10

    /// - Parameter isQuick: indexes are not compared with their tables.
    init(isQuick: Bool) {
        self.isQuick = isQuick
    }

    /// - Parameter look: called now and then; throw to stop.
    /// - Throws: errors of the source; whatever `look` throws.
    /// - Returns: what is wrong, and whether the walk came to its end.
    func run(
        _ checked: CheckedDatabase, by look: () throws -> Void
    ) throws -> (problems: [DatabaseProblem], isWalked: Bool) {
        do {
            let connection = try checked.connect()
            try connection.setCacheSize(kibibytes: Self.cacheSize)
            var problems: [DatabaseProblem] = []
            try connection.supervised(by: look) {
                problems = try structure(connection, try TreeRoots(connection))
                if !isQuick { problems += try references(connection) }
            }
            try connection.rethrowSourceFailure()
            return (problems, true)
        } catch let error as DatabaseError {
            if let failure = error.sourceFailure { throw failure }
            let isDamage = error.code == .damaged || error.isNotADatabase
            return ([DatabaseProblem(isDamage ? .structure : .unreadable, error.message)], false)
        }
    }

    private func structure(
        _ connection: borrowing Connection, _ roots: TreeRoots
    ) throws -> [DatabaseProblem] {
        let messages = try connection.structureProblems(isQuick ? .quick : .full, limit: Self.mostMessages)
        return messages.map { text in
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

    private func references(
        _ connection: borrowing Connection
    ) throws -> [DatabaseProblem] {
        try connection.brokenReferences().map { broken in
            var problem = DatabaseProblem(
                .reference,
                "\(Count.text(broken.rows, "row")) of \(broken.table) with missing references to "
                    + "\(broken.parent)")
            problem.table = "table \(broken.table)"
            problem.rows = broken.rows
            return problem
        }
    }
}
