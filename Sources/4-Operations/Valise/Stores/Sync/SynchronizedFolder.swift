import ValiseContentStore
import ValiseFailures

/// What a synchronization of a folder with a store did.
package struct SynchronizedFolder: OperationReport {
    /// `push` or `pull`.
    package let direction: String
    /// Where the store is; folders as absolute paths.
    package let place: String
    package let folder: String
    package let uploaded: Int
    package let downloaded: Int
    package let removedFromStore: Int
    package let removedFromFolder: Int
    /// Conflicts that were ended as it was asked for.
    package let resolved: Int
    /// Of files that were moved, in bytes.
    package let size: Int64
    /// Files and links that were the same already.
    package let same: Int
    /// Paths with two versions that exclude each other. Both are as they were.
    package let conflicts: [String]
    /// Paths that were changed meanwhile: the next run has them.
    package let changed: [String]
    package let entryFailures: [EntryFailure]

    init(_ plan: PlannedSync, _ report: SyncReport) {
        (direction, place, folder) = (plan.direction, plan.place, plan.folder)
        uploaded = report.done[.upload] ?? 0
        downloaded = report.done[.download] ?? 0
        removedFromStore = report.done[.removeFromStore] ?? 0
        removedFromFolder = report.done[.removeFromFolder] ?? 0
        resolved = report.done[.conflict] ?? 0
        size = report.bytes
        same = plan.same
        conflicts = report.conflicts.map(\.text)
        changed = report.changed.map(\.text)
        entryFailures =
            plan.entryFailures
            + report.failed.map {
                EntryFailure($0.path.text, Remark($0.error.message, remedy: $0.error.remedy))
            }
            + report.changed.map {
                EntryFailure($0.text, Remark("changed while the folder was synchronized; left as it is"))
            }
    }

    /// Conflicts need their user, as failures do.
    package var hasEntryErrors: Bool { !entryFailures.isEmpty || !conflicts.isEmpty }

    private enum CodingKeys: CodingKey {
        case direction, place, folder, uploaded, downloaded, removedFromStore, removedFromFolder, resolved
        case size, same, conflicts, changed, problems
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(direction, forKey: .direction)
        try container.encode(place, forKey: .place)
        try container.encode(folder, forKey: .folder)
        try container.encode(uploaded, forKey: .uploaded)
        try container.encode(downloaded, forKey: .downloaded)
        try container.encode(removedFromStore, forKey: .removedFromStore)
        try container.encode(removedFromFolder, forKey: .removedFromFolder)
        try container.encode(resolved, forKey: .resolved)
        try container.encode(size, forKey: .size)
        try container.encode(same, forKey: .same)
        try container.encode(conflicts, forKey: .conflicts)
        try container.encode(changed, forKey: .changed)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
