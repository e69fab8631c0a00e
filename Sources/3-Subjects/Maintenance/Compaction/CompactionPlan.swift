package import ValiseAccounts
import ValiseDatabase

/// What compacting an account would do, as far as it is known in advance.
package struct CompactionPlan: Sendable, Equatable, Codable {
    /// One database's part.
    package struct Step: Sendable, Equatable, Codable {
        package let database: AccountDatabase
        /// In bytes, as it is.
        package let size: Int64
        /// How many pages it has.
        package let pages: Int64
        /// How many of them hold nothing.
        package let freePages: Int64
        /// In bytes: the pages that hold something. How much of them is empty shows only when it is done; the
        /// official programs keep no free pages, so that is where the gain is.
        package let estimate: Int64
    }

    package let steps: [Step]
    /// Bytes that both new files need while it runs.
    package let spaceNeeded: Int64
    /// Bytes that are free now.
    package let freeSpace: Int64

    /// How many bytes are free again afterwards at least.
    package var smallestGain: Int64 { steps.reduce(0) { $0 + $1.size - $1.estimate } }

    /// Rearranging may take some pages more where rows fit worse.
    static let air: Int64 = 1 << 20

    init(steps: [Step], freeSpace: Int64) {
        self.steps = steps
        spaceNeeded = Self.spaceNeeded(for: steps.reduce(0) { $0 + $1.estimate })
        self.freeSpace = freeSpace
    }

    /// - Parameter size: of the pages that hold something, in bytes.
    static func spaceNeeded(for size: Int64) -> Int64 { size + size / 50 + air }
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
package struct CompactionReport: Sendable, Equatable {
    /// One database's part.
    package struct Result: Sendable, Equatable, Codable {
        package let database: AccountDatabase
        /// In bytes.
        package let sizeBefore: Int64
        /// In bytes.
        package let sizeAfter: Int64
    }

    /// What was done.
    package let plan: CompactionPlan
    package let results: [Result]
    /// Bytes that were freed.
    package let freed: Int64
    /// What an earlier run had left; nil for nothing.
    package let recovery: AccountRecovery?
    /// How long it took, in seconds.
    package let seconds: Double
}
