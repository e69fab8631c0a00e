import ValiseDatabase

/// What a key came to.
enum RowEvent {
    case same
    case onlyInFirst
    case onlyInSecond
    case changed
}

/// Counts the rows of one table while both sides are gone through.
struct RowTally {
    private var table: TableComparison
    private var run: (event: RowEvent, range: RowRange)?

    init(_ table: TableComparison) {
        self.table = table
    }

    mutating func note(_ event: RowEvent, _ key: RowKey) {
        switch event {
        case .same: break
        case .onlyInFirst: table.onlyInFirst += 1
        case .onlyInSecond: table.onlyInSecond += 1
        case .changed: table.changed += 1
        }
        guard let number = key.number else { return }
        if run?.event == event {
            run?.range.last = number
            run?.range.rows += 1
        } else {
            endRun()
            if event != .same { run = (event, RowRange(first: number, last: number, rows: 1)) }
        }
    }

    private mutating func endRun() {
        guard let (event, range) = run else { return }
        switch event {
        case .same: break
        case .onlyInFirst: table.idsOnlyInFirst.add(range)
        case .onlyInSecond: table.idsOnlyInSecond.add(range)
        case .changed: table.idsChanged.add(range)
        }
        run = nil
    }

    /// - Parameters:
    ///   - first: how many rows the first side had.
    ///   - second: how many rows the second side had.
    ///   - problem: why that are not all; nil where they are.
    mutating func finish(first: Int, second: Int, problem: String? = nil) -> TableComparison {
        endRun()
        table.firstRows = first
        table.secondRows = second
        table.problem = problem
        return table
    }
}
