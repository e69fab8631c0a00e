import Synchronization
import ValiseChatSchema
package import ValiseConcurrency
import ValiseDatabase

/// Looks for texts in all rows of an account, on all cores. One walk in the order of the rows comes by each page once; the
/// conversations, of which each has its rows all over the file, would come by most pages many times.
package struct ItemTextScan: Sendable {
    private let open: ChatConnections
    private let workers: Int

    private static let partsOfWorker = 16

    /// - Parameters:
    ///   - workers: one where the database can only be read from its start, as in a compressed archive.
    ///   - open: opens the chat database once more.
    package init(workers: Int = ParallelBatches.workers, _ open: @escaping ChatConnections) {
        self.open = open
        self.workers = workers
    }

    /// The rows of all items whose texts match, and of those that cannot be read, in their order.
    /// - Throws: `DatabaseError`; whatever `progress` throws.
    package func rows(matching query: TextQuery, progress: ProgressHandler) throws -> [Int64] {
        let first = try ItemTextWorker(open)
        guard let rows = try first.rows(), let texts = first.texts else { return [] }
        let parts = RowParts(rows, workers * Self.partsOfWorker)
        let found = Mutex<Set<Int64>>(Set(try texts.rowsWithDamagedFiles(first.connection)))
        try ParallelBatches.run(count: parts.count, workers: workers) {
            try ItemTextWorker(open)
        } work: { worker, part in
            guard let rows = parts[part] else { return }
            var matching: [Int64] = []
            var folding = worker.folding
            try unsafe worker.forEach(in: rows) { row, text in
                guard let text = unsafe text else { return matching.append(row) }
                if unsafe query.matches(stored: text, &folding) { matching.append(row) }
            }
            worker.folding = folding
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
