public import ValiseConcurrency
import ValiseContentStore

/// What would make a store like a folder, or a folder like a store.
public struct PlannedSync: OperationReport {
    /// What is done with a path.
    package struct Step: Sendable, Encodable, Equatable {
        package let path: String
        /// `upload`, `download`, `remove-from-store`, `remove-from-folder` or `conflict`.
        package let action: String
        /// In the folder, in bytes; nil where it is not there.
        package let size: Int64?
        /// In the store, in bytes; nil where it is not there.
        package let storedSize: Int64?
        /// Which device wrote what the store has.
        package let device: String?
    }

    /// `push` or `pull`.
    package let direction: String
    /// Where the store is; folders as absolute paths.
    package let place: String
    package let folder: String
    /// How conflicts are ended: `keep-local`, `keep-remote`, `keep-both`; nil where they are left.
    package let resolution: String?
    /// In the order of the paths.
    package let steps: [Step]
    /// Files and links that are the same already.
    package let same: Int
    /// Changes on the other side, which this direction leaves alone.
    package let skipped: Int
    /// Of files that are moved, in bytes.
    package let size: Int64
    public let entryFailures: [EntryFailure]

    init(_ sync: FolderSynchronization, _ plan: SyncPlan, folder: String) {
        direction = plan.direction.rawValue
        place = sync.store.address.absoluteText
        self.folder = folder
        resolution = sync.ending?.rawValue
        steps = plan.steps.map {
            Step(
                path: $0.path.text, action: $0.action.rawValue, size: $0.local?.size,
                storedSize: $0.remote?.size, device: $0.remote?.device)
        }
        same = plan.same.count
        skipped = plan.skipped
        size = plan.bytes
        entryFailures = plan.problems.map { EntryFailure($0.path, Remark($0.message)) }
    }

    package var conflicts: [Step] { steps.filter { $0.action == SyncPlan.Action.conflict.rawValue } }

    /// Steps by which something is not there any more: files that are removed, and versions that lose a conflict.
    package var losses: [Step] {
        steps.filter { step in
            switch SyncPlan.Action(rawValue: step.action) {
            case .removeFromStore?, .removeFromFolder?: true
            case .conflict?: resolution != nil && resolution != ConflictEnding.keepBoth.rawValue
            case .upload?, .download?, nil: false
            }
        }
    }

    var losesSomething: Bool { !losses.isEmpty }

    /// Where something is removed.
    func losing(_ direction: SyncPlan.Direction) -> String { direction == .pull ? folder : place }

    private enum CodingKeys: CodingKey {
        case direction, place, folder, resolution, steps, same, skipped, size, problems
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(direction, forKey: .direction)
        try container.encode(place, forKey: .place)
        try container.encode(folder, forKey: .folder)
        try container.encodeIfPresent(resolution, forKey: .resolution)
        try container.encode(steps, forKey: .steps)
        try container.encode(same, forKey: .same)
        try container.encode(skipped, forKey: .skipped)
        try container.encode(size, forKey: .size)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
