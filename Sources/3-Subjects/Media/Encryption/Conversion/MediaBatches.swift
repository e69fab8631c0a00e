import ValiseAccounts

/// How the rows are cut into operations: each converts so many bytes, because everything of an operation lies beside the account
/// until it is decided.
struct MediaBatches {
    /// Consecutive rows.
    struct Batch {
        var ids: ClosedRange<Int64>
        var files = 0
        /// Of the files before conversion, in bytes.
        var bytes: Int64 = 0
    }

    /// The copy of the chat database that each operation makes shall be a small part of its work.
    private static let databaseShare: Int64 = 4
    /// In bytes; more where the database is large.
    private static let usualLimit: Int64 = 1 << 30
    private static let mostFiles = 20_000
    /// The system keeps a reserve, and the journal needs some.
    static let reserve: Int64 = 32 << 20

    private(set) var batches: [Batch] = []
    private(set) var largest: Int64 = 0
    private let limit: Int64
    private let available: Int64

    /// - Parameters:
    ///   - databaseSize: of the chat database, in bytes.
    ///   - freeSpace: where the account lies, in bytes.
    ///   - actSize: what one operation may write, in bytes; nil for about a gigabyte.
    init(databaseSize: Int64, freeSpace: Int64, batchSize: Int64?) {
        available = max(0, freeSpace - databaseSize - Self.reserve)
        let wanted = batchSize ?? max(Self.usualLimit, databaseSize * Self.databaseShare)
        limit = min(wanted, available)
    }

    /// - Parameter size: of the converted file, in bytes.
    mutating func add(_ fileID: Int64, size: Int64) {
        largest = max(largest, size)
        let isFull = batches.last.map { $0.bytes + size > limit || $0.files >= Self.mostFiles } ?? true
        if isFull { batches.append(Batch(ids: fileID...fileID)) }
        let last = batches.count - 1
        batches[last].ids = batches[last].ids.lowerBound...fileID
        batches[last].files += 1
        batches[last].bytes += size
    }

    /// The most bytes that one operation writes.
    var spaceNeeded: Int64 { batches.map(\.bytes).max() ?? 0 }

    /// Whether there is space for the largest file, which may be an operation of its own.
    var isPossible: Bool { largest <= available }
}
