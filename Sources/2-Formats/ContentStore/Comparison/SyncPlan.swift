/// What makes folder and store the same.
package struct SyncPlan: Sendable, Equatable {
    /// What may be changed.
    package enum Direction: String, Sendable, CaseIterable {
        /// The store.
        case push
        /// The folder.
        case pull
        /// Both.
        case both

        var changesStore: Bool { self != .pull }
        var changesFolder: Bool { self != .push }
    }

    /// What is done with a path.
    package enum Action: String, Sendable, CaseIterable {
        case upload
        case download
        /// The file was deleted here.
        case removeFromStore = "remove-from-store"
        /// The file was deleted in the store.
        case removeFromFolder = "remove-from-folder"
        /// Both were changed since they were the same, or were never the same. Nothing is done without a resolution.
        case conflict
    }

    package struct Step: Sendable, Hashable {
        package let path: StorePath
        package let action: Action
        package let local: LocalState?
        package let remote: RemoteState?

        /// Bytes of the file that is moved; 0 for others.
        package var bytes: Int64 {
            switch action {
            case .upload: local?.size ?? 0
            case .download: remote?.size ?? 0
            case .removeFromStore, .removeFromFolder, .conflict: 0
            }
        }
    }

    package let direction: Direction
    /// When folder and store were compared, in seconds since 1970.
    package let time: Int64
    /// In the order of the paths.
    package internal(set) var steps: [Step] = []
    /// Paths that have the same content, whether anybody recorded it or not.
    package internal(set) var same: [StorePath: SyncBase.Entry] = [:]
    /// Paths that are nowhere any more.
    package internal(set) var gone: [StorePath] = []
    /// Changes that this direction leaves alone.
    package internal(set) var skipped = 0
    package internal(set) var problems: [ComparisonProblem] = []

    package var conflicts: [Step] { steps.filter { $0.action == .conflict } }

    /// How many steps there are of each kind.
    package var counts: [Action: Int] { steps.reduce(into: [:]) { $0[$1.action, default: 0] += 1 } }

    /// Bytes to move.
    package var bytes: Int64 { steps.reduce(0) { $0 &+ $1.bytes } }
}

extension SyncPlan {
    /// Decides what a path needs.
    ///
    /// - Parameters:
    ///   - item: as it was compared.
    ///   - base: what both had.
    ///   - wasDeleted: whether the store says that somebody deleted what both had.
    mutating func add(_ item: ComparedItem, base: SyncBase.Entry?, wasDeleted: Bool) {
        guard let state = item.state else {
            if base != nil { gone.append(item.path) }
            return
        }
        if state == .same {
            if let local = item.local, let remote = item.remote {
                same[item.path] = SyncBase.Entry(local, remote, time)
            }
            return
        }
        let action = Self.action(item.local, item.remote, base, wasDeleted)
        guard isAllowed(action) else {
            skipped += 1
            return
        }
        steps.append(Step(path: item.path, action: action, local: item.local, remote: item.remote))
    }

    private func isAllowed(_ action: Action) -> Bool {
        switch action {
        case .upload, .removeFromStore: direction.changesStore
        case .download, .removeFromFolder: direction.changesFolder
        case .conflict: true
        }
    }

    private static func action(
        _ local: LocalState?, _ remote: RemoteState?, _ base: SyncBase.Entry?, _ wasDeleted: Bool
    ) -> Action {
        let isLocalChanged = local.map { $0.kind != base?.kind || $0.digest != base?.digest } ?? (base != nil)
        let isRemoteChanged = remote.map { $0.kind != base?.kind || $0.digest != base?.digest } ?? wasDeleted
        switch (local != nil, remote != nil) {
        case (true, false):
            // What is missing without a trace was not deleted.
            if base == nil || !isRemoteChanged { return .upload }
            return isLocalChanged ? .conflict : .removeFromFolder
        case (false, true):
            if base == nil { return .download }
            return isRemoteChanged ? .conflict : .removeFromStore
        default:
            if base == nil || isLocalChanged && isRemoteChanged { return .conflict }
            return isLocalChanged ? .upload : .download
        }
    }
}

extension SyncBase.Entry {
    /// What both have.
    init?(_ local: LocalState, _ remote: RemoteState, _ time: Int64) {
        guard let digest = local.digest, digest == remote.digest, local.kind == remote.kind else {
            return nil
        }
        self.init(
            kind: local.kind, digest: digest, clock: remote.clock, contentVersion: remote.contentVersion,
            size: local.size, modified: local.modified, compared: time)
    }
}
