import ValiseAccounts
import ValiseDatabase
import ValiseEncoding

/// Goes through both sides of a table in the order of its keys, as two hands go through two sorted piles: memory does not
/// grow with the number of rows.
struct TableJoin {
    private let first: TableOutline
    private let second: TableOutline
    /// Sees the rows of the messages; nil for all other tables.
    private let messages: MessageTally?
    /// Sees the rows of both sides that differ.
    private let evidence: ProgressTally
    private let database: AccountDatabase
    private let checkpoint: () throws -> Void

    /// So many rows lie between two looks whether to stop.
    private static let rowsBetweenLooks = 4096

    /// - Parameter checkpoint: called now and then; throw to stop.
    init(
        _ first: TableOutline, _ second: TableOutline, of database: AccountDatabase, messages: MessageTally?,
        evidence: ProgressTally, checkpoint: @escaping () throws -> Void
    ) {
        self.first = first
        self.second = second
        self.database = database
        self.messages = messages
        self.evidence = evidence
        self.checkpoint = checkpoint
    }

    /// - Throws: ``DatabaseError``; whatever the checkpoint throws.
    func run(
        _ left: borrowing Connection, _ right: borrowing Connection
    ) throws -> TableComparison {
        let empty = TableComparison(first, second)
        let before = evidence.evidence
        var problem = "no key common to both sides"
        if first.isVirtual || second.isVirtual {
            problem = "virtual table"
        } else {
            for order in RowOrder.candidates(first, second) {
                do {
                    if let result = try run(order, empty, left, right) { return result }
                    problem = "rows could be sorted only in memory"
                } catch is OrderedRows.Disorder {
                    messages?.startOver()
                    evidence.goBack(to: before)
                    problem = "no row order common to both sides"
                }
            }
        }
        var tally = RowTally(empty)
        return tally.finish(first: 0, second: 0, problem: problem)
    }

    /// - Returns: nil where rows would have to be sorted.
    private func run(
        _ order: RowOrder, _ empty: TableComparison, _ left: borrowing Connection,
        _ right: borrowing Connection
    ) throws -> TableComparison? {
        let extras = messages == nil ? [] : MessageTally.extras
        guard var here = try order.rows(left, extras: extras, of: first),
            var there = try order.rows(right, extras: extras, of: second)
        else { return nil }
        var tally = RowTally(empty)
        var problem: String?
        do {
            try join(&here, &there, order, &tally)
        } catch let error as DatabaseError where error.isTooBig {
            problem =
                "a row is larger than \(Count.bytes(Int64(Connection.longestValue))); later rows were not compared"
        }
        return tally.finish(first: here.count, second: there.count, problem: problem)
    }

    private func join(
        _ here: inout OrderedRows, _ there: inout OrderedRows, _ order: RowOrder, _ tally: inout RowTally
    ) throws {
        let extras = order.compared.upperBound
        let growing = ProgressTally.columns(
            of: first.name, database, order.columns, from: order.compared.lowerBound)
        try here.advance()
        try there.advance()
        while let (key, place) = Self.next(here.key, there.key) {
            if (here.count + there.count) % Self.rowsBetweenLooks < 2 { try checkpoint() }
            switch place {
            case .first:
                tally.note(.onlyInFirst, key)
                messages?.onlyInFirst(key, here.statement, extras)
                try here.advance()
            case .second:
                tally.note(.onlyInSecond, key)
                messages?.onlyInSecond(key, there.statement, extras)
                try there.advance()
            case .both:
                let isSame = Self.isSame(here.statement, there.statement, order.compared)
                tally.note(isSame ? .same : .changed, key)
                let isOne =
                    messages?.inBoth(key, here.statement, there.statement, extras, isSame: isSame) ?? true
                if !isSame, isOne, !growing.isEmpty {
                    evidence.note(here.statement, there.statement, growing)
                }
                try here.advance()
                try there.advance()
            }
        }
    }

    private enum Place {
        case first, second, both
    }

    /// The lower of two keys, and where it is.
    private static func next(_ left: RowKey?, _ right: RowKey?) -> (RowKey, Place)? {
        switch (left, right) {
        case (nil, nil): nil
        case (let left?, nil): (left, .first)
        case (nil, let right?): (right, .second)
        case (let left?, let right?):
            switch left.order(to: right) {
            case 0: (left, .both)
            case let order: order < 0 ? (left, .first) : (right, .second)
            }
        }
    }

    private static func isSame(
        _ left: borrowing Statement, _ right: borrowing Statement, _ columns: Range<Int>
    ) -> Bool {
        for column in columns where !left.hasSameValue(at: column, as: right) { return false }
        return true
    }
}
