import Synchronization
package import ValiseConcurrency

/// Opens the texts of items once more: each thread has its own.
package typealias TextRowsOpener = @Sendable () throws -> any TextRows

/// The texts of items by rows of a database. For one thread at a time.
package protocol TextRows: AnyObject {
    /// The first and the last row; nil where there is none.
    /// - Throws: errors of the store.
    func rows() throws -> ClosedRange<Int64>?

    /// Rows that have to be read as a whole, whatever their texts are.
    /// - Throws: errors of the store.
    func damagedRows() throws -> [Int64]

    /// - Parameters:
    ///   - rows: the first and the last of them, which need not exist.
    ///   - body: receives each row, and lends its text; nil for one that has to be read as a whole. Throw to stop.
    /// - Throws: errors of the store; whatever `body` throws.
    func forEach(
        in rows: ClosedRange<Int64>, _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws
}

/// Looks for texts in all rows of an account, on all cores. One walk in the order of the rows comes by each page once; the
/// conversations, of which each has its rows all over the file, would come by most pages many times.
package struct ItemTextScan: Sendable {
    private let open: TextRowsOpener
    private let workers: Int

    private static let partsOfWorker = 16

    /// - Parameters:
    ///   - workers: one where the database can only be read from its start, as in a compressed archive.
    ///   - open: opens the texts once more.
    package init(workers: Int = ParallelBatches.workers, _ open: @escaping TextRowsOpener) {
        self.open = open
        self.workers = workers
    }

    /// The rows of all items whose texts match, and of those that cannot be read, in their order.
    /// - Throws: errors of the store; whatever `progress` throws.
    package func rows(matching query: TextQuery, progress: ProgressHandler) throws -> [Int64] {
        let first = try open()
        guard let rows = try first.rows() else { return [] }
        let parts = RowParts(rows, workers * Self.partsOfWorker)
        let found = Mutex<Set<Int64>>(Set(try first.damagedRows()))
        try ParallelBatches.run(count: parts.count, workers: workers) {
            try open()
        } work: { worker, part in
            guard let rows = parts[part] else { return }
            var matching: [Int64] = []
            var folding = TextFolding()
            try unsafe worker.forEach(in: rows) { row, text in
                guard let text = unsafe text else { return matching.append(row) }
                if unsafe query.matches(stored: text, &folding) { matching.append(row) }
            }
            found.withLock { $0.formUnion(matching) }
        } report: { completed in
            try progress(
                OperationProgress(
                    "searching", completed: parts.length * Int64(completed) / Int64(parts.count),
                    total: parts.length, unit: .items))
        }
        return found.withLock { $0 }.sorted()
    }
}
