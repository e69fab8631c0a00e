public import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
package import ValiseMaintenance

/// Compacts the databases of an account, atomically.
public struct CompactAccount: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: whose databases are compacted.
    ///   - passphrase: opens them.
    public init(_ account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> PlannedCompaction {
        let key = try await passphrase.passphrase(of: account, for: .changing, in: asking(context))
        return try await context.blocking { progress in
            PlannedCompaction(
                plan: try AccountCompaction().plan(account, passphrase: key.bytes, progress: progress))
        }
    }

    private func asking(_ context: OperationContext) -> OperationContext {
        context.asking(to: "compact its databases") { try AccountCompaction().refuseFullDisk(account) }
    }

    public func run(in context: OperationContext) async throws -> CompactedAccount {
        let key = try await passphrase.passphrase(of: account, for: .changing, in: asking(context))
        let report = try await context.recoverably("compaction", of: account) { progress in
            try AccountCompaction().run(
                account, passphrase: key.bytes, announce: { context.note(CompactionNote(plan: $0)) },
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return CompactedAccount(report: report)
    }
}

/// The space that a compaction would need and free.
public struct PlannedCompaction: OperationReport {
    /// What would be done.
    package let plan: CompactionPlan

    /// Bytes that both new files need while it runs.
    public var spaceNeeded: Int64 { plan.spaceNeeded }
    /// Bytes that are free now.
    public var freeSpace: Int64 { plan.freeSpace }

    private enum Key: CodingKey { case type, databases, spaceNeeded, freeSpace, smallestGain }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("compactionPlan", forKey: .type)
        try container.encode(plan.steps, forKey: .databases)
        try container.encode(plan.spaceNeeded, forKey: .spaceNeeded)
        try container.encode(plan.freeSpace, forKey: .freeSpace)
        try container.encode(plan.smallestGain, forKey: .smallestGain)
    }
}

/// What a compaction did.
public struct CompactedAccount: OperationReport {
    /// What was done.
    package let report: CompactionReport

    /// Bytes that were freed.
    public var freed: Int64 { report.freed }

    private enum Key: CodingKey { case type, databases, freed, seconds }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("accountCompacted", forKey: .type)
        try container.encode(report.results, forKey: .databases)
        try container.encode(report.freed, forKey: .freed)
        try container.encode(report.seconds, forKey: .seconds)
    }
}

/// The space that a compaction needs and frees, shown before it begins.
package struct CompactionNote: OperationNote {
    package let plan: CompactionPlan

    package init(plan: CompactionPlan) { self.plan = plan }

    package var text: String {
        "needs \(Count.bytes(plan.spaceNeeded)) of temporary space "
            + "(\(Count.bytes(plan.freeSpace)) free); "
            + "frees at least \(Count.bytes(max(0, plan.smallestGain)))"
    }
}
