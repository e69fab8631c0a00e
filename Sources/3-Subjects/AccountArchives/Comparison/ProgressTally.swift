import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase

/// Collects the evidence of which side is the later one, from rows of both sides that differ.
final class ProgressTally {
    private(set) var evidence = ProgressEvidence()

    /// Columns of one table whose values only grow.
    struct Columns {
        fileprivate let counters: [Int]
        fileprivate let times: [Int]

        var isEmpty: Bool { counters.isEmpty && times.isEmpty }
    }

    /// - Parameters:
    ///   - columns: those that are compared.
    ///   - start: where the first of them is in a row.
    static func columns(
        of table: String, _ database: AccountDatabase, _ columns: [String], from start: Int
    ) -> Columns {
        func places(_ names: Set<String>) -> [Int] {
            columns.indices.filter { names.contains(columns[$0]) }.map { start + $0 }
        }
        return switch database {
        case .chat: Columns(counters: [], times: places(GrowingColumns.timesOfChatTables))
        case .agent: Columns(counters: places(GrowingColumns.counters(ofAgentTable: table)), times: [])
        }
    }

    /// Forgets what came since then.
    func goBack(to evidence: ProgressEvidence) { self.evidence = evidence }

    func note(_ left: borrowing Statement, _ right: borrowing Statement, _ columns: Columns) {
        let counts = columns.counters.map { Self.order(left, right, number: $0) }
        if counts.contains(where: { $0 > 0 }) { evidence.connectionsAheadInFirst += 1 }
        if counts.contains(where: { $0 < 0 }) { evidence.connectionsAheadInSecond += 1 }
        let times = columns.times.map { Self.order(left, right, time: $0) }
        if times.contains(where: { $0 > 0 }) { evidence.rowsNewerInFirst += 1 }
        if times.contains(where: { $0 < 0 }) { evidence.rowsNewerInSecond += 1 }
    }

    /// 0 as well where a value is no number.
    private static func order(
        _ left: borrowing Statement, _ right: borrowing Statement, number column: Int
    ) -> Int {
        guard let mine = left.value(column).integer, let others = right.value(column).integer else {
            return 0
        }
        return mine < others ? -1 : mine > others ? 1 : 0
    }

    /// Any time is later than none; 0 where a value is neither text nor NULL.
    private static func order(
        _ left: borrowing Statement, _ right: borrowing Statement, time column: Int
    ) -> Int {
        switch (left.storageClass(column), right.storageClass(column)) {
        case (.text, .null): return 1
        case (.null, .text): return -1
        case (.text, .text): break
        default: return 0
        }
        return unsafe left.withBytes(column) { mine in
            unsafe right.withBytes(column) { others in
                unsafe mine.lexicographicallyPrecedes(others)
                    ? -1 : others.lexicographicallyPrecedes(mine) ? 1 : 0
            }
        }
    }
}
