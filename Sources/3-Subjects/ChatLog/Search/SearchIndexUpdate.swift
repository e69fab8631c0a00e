import Synchronization
import ValiseConcurrency
import ValiseDatabase

/// Brings a search index to what the account says: all or nothing.
///
/// The app notes nowhere what it changed since when: so all texts are compared, on all cores and each page of the account once. Only
/// what differs is written.
struct SearchIndexUpdate: Sendable {
    private let open: TextRowsOpener
    private let workers: Int
    private let openIndex: @Sendable () throws -> TextIndex

    private static let partsOfWorker = 16

    init(
        _ open: @escaping TextRowsOpener, _ workers: Int,
        _ openIndex: @escaping @Sendable () throws -> TextIndex
    ) {
        self.open = open
        self.workers = workers
        self.openIndex = openIndex
    }

    /// - Parameters:
    ///   - index: is open for writing.
    ///   - mark: what tells the next run that the account is the same.
    ///   - progress: throw to stop.
    /// - Throws: `DatabaseError`; whatever `progress` throws.
    func run(on index: TextIndex, mark: String, _ progress: ProgressHandler) throws {
        let account = try open()
        let rows = try account.rows()
        let damaged = Set(try account.damagedRows())
        guard let indexed = try index.rows() else {
            return try index.change(mark: mark) { change in
                guard let rows else { return }
                try add(rows, of: account, damaged, to: change, "making the search index", progress)
            }
        }
        let ends = [rows, indexed].compactMap { $0 }
        let first = ends.map(\.lowerBound).reduce(indexed.lowerBound, min)
        let last = ends.map(\.upperBound).reduce(indexed.upperBound, max)
        let differences = try compare(
            RowParts(first...last, workers * Self.partsOfWorker), damaged, try index.rowsWithoutText(),
            progress)
        try index.change(mark: mark) { change in
            for row in differences.flatMap(\.gone) { try change.remove(row: row) }
            for row in differences.flatMap(\.changed) { try change.prepareReplacing(row: row) }
            for rows in differences.flatMap(\.ranges) {
                try add(rows, of: account, damaged, to: change, "updating the search index", progress)
            }
        }
    }

    // MARK: Adding

    /// What is in the index of a text; nil for a row that is found in each search.
    private static func entry(
        _ text: UnsafeRawBufferPointer?, isDamaged: Bool, _ folding: inout TextFolding
    ) -> [UInt8]? {
        guard let text = unsafe text, !isDamaged, text.count <= TextIndex.longestText else { return nil }
        let folded = unsafe folding.folded(text)
        return folded.count <= TextIndex.longestText ? folded : nil
    }

    private func add(
        _ rows: ClosedRange<Int64>, of account: any TextRows, _ damaged: Set<Int64>,
        to change: TextIndexChange, _ activity: String, _ progress: ProgressHandler
    ) throws {
        var folding = TextFolding()
        var count: Int64 = 0
        let total = rows.upperBound.subtractingReportingOverflow(rows.lowerBound).partialValue &+ 1
        try unsafe account.forEach(in: rows) { row, text in
            if count % 4096 == 0 {
                try progress(OperationProgress(activity, completed: count, total: total, unit: .items))
            }
            count += 1
            if let entry = unsafe Self.entry(text, isDamaged: damaged.contains(row), &folding) {
                try change.add(entry, row: row)
            } else {
                try change.addWithoutText(row: row)
            }
        }
    }

    // MARK: Comparing

    /// What is another in a part of the rows.
    private struct Difference: Sendable {
        /// Rows that are only in the index.
        var gone: [Int64] = []
        /// Rows of the index with another text.
        var changed: [Int64] = []
        /// All that has to be added: runs of rows that are new or have another text.
        var ranges: [ClosedRange<Int64>] = []
        private var isInRange = false

        mutating func same() { isInRange = false }

        mutating func add(_ row: Int64) {
            if isInRange, let last = ranges.last {
                ranges[ranges.count - 1] = last.lowerBound...row
            } else {
                ranges.append(row...row)
            }
            isInRange = true
        }
    }

    private func compare(
        _ parts: RowParts, _ damaged: Set<Int64>, _ withoutText: Set<Int64>, _ progress: ProgressHandler
    ) throws -> [Difference] {
        let found = Mutex<[Int: Difference]>([:])
        try ParallelBatches.run(count: parts.count, workers: workers) {
            (account: try open(), index: try openIndex())
        } work: { worker, part in
            guard let rows = parts[part] else { return }
            let difference = try Self.difference(rows, worker.account, worker.index, damaged, withoutText)
            found.withLock { $0[part] = difference }
        } report: { completed in
            try progress(
                OperationProgress(
                    "updating the search index",
                    completed: parts.length * Int64(completed) / Int64(parts.count), total: parts.length,
                    unit: .items))
        }
        return found.withLock { found in (0..<parts.count).compactMap { found[$0] } }
    }

    private static func difference(
        _ rows: ClosedRange<Int64>, _ account: any TextRows, _ index: TextIndex, _ damaged: Set<Int64>,
        _ withoutText: Set<Int64>
    ) throws -> Difference {
        var difference = Difference()
        var known = try index.texts(in: rows)
        var left = withoutText.filter { rows.contains($0) }
        var folding = TextFolding()
        try unsafe account.forEach(in: rows) { row, text in
            while let gone = known.row, gone < row {
                difference.gone.append(gone)
                try known.advance()
            }
            let entry = unsafe entry(text, isDamaged: damaged.contains(row), &folding)
            let hadNoText = left.remove(row) != nil
            let hadText = known.row == row
            let isSame = entry.map { hadText && !hadNoText && known.isText($0) } ?? (hadNoText && !hadText)
            if hadText { try known.advance() }
            if isSame { return difference.same() }
            if hadText || hadNoText { difference.changed.append(row) }
            difference.add(row)
        }
        while let gone = known.row {
            difference.gone.append(gone)
            try known.advance()
        }
        difference.gone += left
        return difference
    }
}
