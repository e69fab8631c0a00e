public import ValiseAccounts
import ValiseDatabase

/// What compacting an account would do, as far as it can be told before.
public struct CompactionPlan: Sendable, Equatable, Codable {
    /// One database's part.
    public struct Step: Sendable, Equatable, Codable {
        public let database: AccountDatabase
        /// In bytes, as it is.
        public let size: Int64
        /// How many pages it has.
        public let pages: Int64
        /// How many of them hold nothing.
        public let freePages: Int64
        /// In bytes: the pages that hold something. How much of them is empty shows only when it is done; the
        /// official programs keep no free pages, so that is where the gain is.
        public let estimate: Int64
    }

    public let steps: [Step]
    /// Bytes that both new files take while it runs.
    public let spaceNeeded: Int64
    /// Bytes that are free now.
    public let freeSpace: Int64

    /// How many bytes are free again afterwards at least.
    public var smallestGain: Int64 { steps.reduce(0) { $0 + $1.size - $1.estimate } }

    /// Rearranging may take some pages more where rows fit worse.
    private static let air: Int64 = 1 << 20

    init(steps: [Step], freeSpace: Int64) {
        self.steps = steps
        let sum = steps.reduce(0) { $0 + $1.estimate }
        spaceNeeded = sum + sum / 50 + Self.air
        self.freeSpace = freeSpace
    }
}

extension CompactionPlan.Step {
    init(
        _ connection: borrowing Connection, _ database: AccountDatabase, size: Int64
    ) throws(DatabaseError) {
        let pages = try connection.number(.pageCount)
        let free = try connection.number(.freePages)
        let pageSize = try connection.number(.pageSize)
        self.init(
            database: database, size: size, pages: pages, freePages: free,
            estimate: max(0, pages - free) * pageSize)
    }
}

/// What compacting an account did.
public struct CompactionReport: Sendable, Equatable {
    /// One database's part.
    public struct Result: Sendable, Equatable, Codable {
        public let database: AccountDatabase
        /// In bytes.
        public let sizeBefore: Int64
        /// In bytes.
        public let sizeAfter: Int64
    }

    public let plan: CompactionPlan
    public let results: [Result]
    /// Bytes that are free again.
    public let freed: Int64
    /// What an earlier run had left; nil for nothing.
    public let recovery: AccountRecovery?
    /// How long it took, in seconds.
    public let seconds: Double
}
