/// What would change, in clauses and as paths: a plan for a user, and a JSON document.
package struct PlannedChanges: Encodable, Sendable {
    package let type = "changePlan"
    /// What would be done, such as `moveRemove`.
    package let operation: String
    /// Imperative clauses, such as `remove the record`.
    package let changes: [String]
    private let created: [String]
    private let replaced: [String]
    private let removed: [String]
    private let bytesToProcess: Int64?
    private let freeSpace: Int64?
    private let plan: (any TimedPlan)?

    private enum CodingKeys: CodingKey {
        case type, operation, changes, created, replaced, removed, bytesToProcess, freeSpace
    }

    /// - Parameters:
    ///   - operation: what would be done.
    ///   - changes: imperative clauses.
    ///   - plan: what would be done with files, or how much would be done; nil for nothing more.
    package init(_ operation: String, _ changes: [String], _ plan: (any TimedPlan)? = nil) {
        let files = plan as? PlannedFiles
        self.operation = operation
        self.changes = changes
        created = files?.created.map(\.string) ?? []
        replaced = files?.replaced.map(\.string) ?? []
        removed = files?.removed.map(\.string) ?? []
        bytesToProcess = plan?.bytesToProcess
        freeSpace = files?.freeSpace
        self.plan = plan
    }

    /// A line for each change, as of a dry run; or one that says that there is none.
    package var text: String {
        let clauses =
            changes + created.map { "create \($0)" } + replaced.map { "replace \($0)" }
            + removed.map { "remove \($0)" }
        guard !clauses.isEmpty else { return "nothing would change" }
        return clauses.map { "would \($0)".withoutControls }.joined(separator: "\n").asDryRun(of: plan)
    }
}
