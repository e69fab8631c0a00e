package import ValiseAccounts

/// What a purge did.
public struct MediaPurgeReport: Sendable, Encodable {
    /// A file that could not be removed.
    package struct Problem: Sendable, Encodable {
        /// The file.
        package let path: String
        package let message: String
    }

    /// The plan.
    public let plan: MediaPurgePlan
    /// Whether things were deleted, and not moved.
    package let deletes: Bool
    /// What an earlier run had left.
    package let recovery: AccountRecovery?
    /// Whether it was confirmed.
    public internal(set) var isDone = false
    /// Where things were moved to; several where media lie on another disk.
    package internal(set) var folders: [String] = []
    /// How many items were taken away.
    package internal(set) var count = 0
    /// Their bytes.
    package internal(set) var size: Int64 = 0
    /// Files that were not removed, and why.
    package internal(set) var problems: [Problem] = []

    init(_ plan: MediaPurgePlan, deletes: Bool, recovery: AccountRecovery?) {
        self.plan = plan
        self.deletes = deletes
        self.recovery = recovery
    }

    private enum CodingKeys: CodingKey { case deletes, isDone, folders, count, size, problems, items, notes }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deletes, forKey: .deletes)
        try container.encode(isDone, forKey: .isDone)
        try container.encode(folders, forKey: .folders)
        try container.encode(count, forKey: .count)
        try container.encode(size, forKey: .size)
        try container.encode(problems, forKey: .problems)
        try container.encode(plan.items, forKey: .items)
        try container.encode(plan.notes, forKey: .notes)
    }
}
