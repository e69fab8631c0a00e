import ValiseAccountArchives
import ValiseMaintenance
import ValiseMoves

/// A plan that knows how much there is to do.
public protocol TimedPlan: Sendable {
    /// Bytes that are read, converted and written or sent, each counted once.
    var bytesToProcess: Int64 { get }
}

extension TimedPlan {
    /// About how long a run takes.
    ///
    /// - Parameter rate: in bytes a second: what the disk or the line moves, or what an earlier run did, see
    ///   `OperationProgress.rate`. Unless said, that of a slow SSD.
    public func estimatedDuration(at rate: Double = 200_000_000) -> Duration {
        .seconds(Double(bytesToProcess) / max(rate, 1))
    }
}

extension ExportPlan: TimedPlan {
    public var bytesToProcess: Int64 { sourceSize }
}

extension ImportArchivePlan: TimedPlan {
    public var bytesToProcess: Int64 { plan.spaceNeeded }
}

extension AccountMigrationReport: TimedPlan {
    public var bytesToProcess: Int64 { plan.spaceNeeded }
}

extension PlannedCompaction: TimedPlan {
    public var bytesToProcess: Int64 { plan.spaceNeeded }
}

extension ChangedPassphrase: TimedPlan {
    public var bytesToProcess: Int64 { report.plan.spaceNeeded }
}

extension SendPlan: TimedPlan {
    public var bytesToProcess: Int64 { archiveSize }
}

extension SendFiles.Plan: TimedPlan {
    public var bytesToProcess: Int64 { files.reduce(0) { $0 + $1.size } }
}
