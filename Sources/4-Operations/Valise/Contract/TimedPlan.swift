import ValiseAccountArchives
import ValiseDatabase
import ValiseMaintenance
import ValiseMedia
import ValiseMoves
import ValiseTransfers
import ValiseXFTPWire

/// A plan that knows how much there is to do.
public protocol TimedPlan: Sendable {
    /// Bytes that are read, converted and written or sent, each counted once.
    var bytesToProcess: Int64 { get }
}

extension TimedPlan {
    /// Those that a plan of this library has; none of another one that does not say.
    public var bytesToProcess: Int64 { (self as? any MeasuredPlan)?.plannedBytes ?? 0 }

    /// About how long a run takes.
    ///
    /// - Parameter rate: in bytes a second: what the disk or the line moves, or what an earlier run did, see
    ///   `OperationProgress.rate`. Unless said, that of a slow SSD, or of a line of 40 Mbit/s where bytes are sent or received.
    public func estimatedDuration(at rate: Double? = nil) -> Duration {
        .seconds(Double(bytesToProcess) / max(rate ?? usualRate, 1))
    }

    /// In bytes a second.
    var usualRate: Double {
        (self as? any MeasuredPlan)?.isOverLine == true ? 5_000_000 : 200_000_000
    }
}

/// Where a plan has its bytes. Not public, so that the types of the subjects get no member for it that an app would see twice.
protocol MeasuredPlan: TimedPlan {
    /// What ``TimedPlan/bytesToProcess`` gives.
    var plannedBytes: Int64 { get }
    /// Whether they go over a line, which is slower than a disk.
    var isOverLine: Bool { get }
}

extension MeasuredPlan {
    var isOverLine: Bool { false }
}

extension ExportPlan: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { sourceSize }
}

extension ExportAndRetain.Plan: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { export.plannedBytes }
}

extension ImportArchivePlan: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { refusal == nil ? plan.spaceNeeded : 0 }
}

extension ExtractionReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { size }
}

extension ArchiveSalvageReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { size }
}

extension AccountMigrationReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { plan.isEmpty || result != .ok ? 0 : plan.spaceNeeded }
}

extension PlannedCompaction: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { plan.spaceNeeded }
}

extension SalvageReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { bytesNeeded }
}

extension ChangedPassphrase: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { isSame ? 0 : report.plan.spaceNeeded }
}

extension CipherUpgradeReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { size }
}

extension MediaConversionReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { bytes }
}

extension ConvertedMedia: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { report.bytesToProcess }
}

extension MediaExportReport: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { copiedSize }
}

extension SendPlan: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { archiveSize }
    var isOverLine: Bool { archive == nil }
}

extension SendFiles.Plan: TimedPlan, MeasuredPlan {
    var plannedBytes: Int64 { files.reduce(0) { $0 + $1.size } }
    var isOverLine: Bool { true }
}

extension ReceiveFile.Plan: TimedPlan, MeasuredPlan {
    /// What a stranger's descriptions say: their sum may be anything.
    var plannedBytes: Int64 {
        files.reduce(0) { sum, file in
            let size = max(0, file.description.redirect?.size ?? file.description.size)
            let (total, isTooLarge) = sum.addingReportingOverflow(size)
            return isTooLarge ? .max : total
        }
    }
    var isOverLine: Bool { true }
}
