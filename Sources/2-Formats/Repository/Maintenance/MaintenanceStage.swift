/// What maintenance of a repository is busy with, for whoever shows it.
package enum MaintenanceStage: String, Sendable, CaseIterable {
    /// Small files: keys, locks, snapshots.
    case files
    case index
    case trees
    /// Content of packs.
    case packs
    /// Packs that no index names.
    case strays
    /// Which snapshots lose what.
    case losses
    case repacking
    case writingIndex
    case removing
}

/// Is told how much of a stage is done, of how much; throw to stop. The total is nil where nobody knows it yet.
package typealias MaintenanceProgress = (MaintenanceStage, _ done: Int64, _ total: Int64?) throws -> Void
