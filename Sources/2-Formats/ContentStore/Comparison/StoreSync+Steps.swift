import ValiseConcurrency
import ValiseFailures
import ValiseFiles

extension StoreSync {
    func upload(
        _ step: SyncPlan.Step, _ basis: WriteBasis, _ time: Int64, _ progress: ProgressHandler
    ) throws -> Outcome {
        guard let local = step.local else { return .changed }
        let report = try upload(local, from: step.path, to: step.path, basis, progress)
        return outcome(report, local, time)
    }

    private func upload(
        _ local: LocalState, from place: StorePath, to path: StorePath, _ basis: WriteBasis,
        _ progress: ProgressHandler
    ) throws -> UploadReport {
        switch local.kind {
        case .link: return try writer.uploadLink(to: folder.target(of: place), at: path, basis)
        case .file:
            var options = options
            options.basis = basis
            // It is verified by what is read.
            options.digest = local.digest
            return try writer.upload(
                folder.file(place), to: path, options, fileSystem: folder.fileSystem, progress: progress)
        }
    }

    private func outcome(_ report: UploadReport, _ local: LocalState, _ time: Int64) -> Outcome {
        switch report.outcome {
        case .uploaded, .unchanged:
            .same(
                SyncBase.Entry(
                    kind: local.kind, digest: report.digest, clock: report.clock,
                    contentVersion: report.contentVersion, size: local.size, modified: local.modified,
                    compared: time))
        case .remoteNewer, .conflict: .changed
        }
    }

    func download(_ step: SyncPlan.Step, _ time: Int64, _ progress: ProgressHandler) throws -> Outcome {
        guard let remote = step.remote, let item = try writer.store.content(of: step.path).item,
            item.contentVersion == remote.contentVersion
        else { return .changed }
        try folder.makeFolders(above: step.path)
        let file = folder.file(step.path)
        // A link is not replaced by a file, nor a file by a link: the other one goes first.
        if let local = step.local, local.kind != remote.kind { try folder.remove(step.path) }
        var options = HydrationOptions()
        options.isReplacing = step.local != nil
        try writer.store.hydrate(item, to: file, options, fileSystem: folder.fileSystem, progress: progress)
        guard let attributes = try folder.fileSystem.attributes(of: file) else { return .changed }
        return .same(
            SyncBase.Entry(
                kind: remote.kind, digest: remote.digest, clock: remote.clock,
                contentVersion: remote.contentVersion, size: remote.size,
                modified: ModificationTime(attributes), compared: time))
    }

    func removeFromStore(_ step: SyncPlan.Step) throws -> Outcome {
        guard let remote = step.remote else { return .gone }
        try writer.remove(step.path, .clock(remote.clock))
        return .gone
    }

    func removeFromFolder(_ step: SyncPlan.Step) throws -> Outcome {
        if case .item = try writer.store.content(of: step.path) { return .changed }
        if step.local != nil { try folder.remove(step.path) }
        return .gone
    }

    /// The version here gets another name, in the folder and in the store, before the other one comes: at each moment both are
    /// there.
    func keepBoth(_ step: SyncPlan.Step, _ time: Int64, _ progress: ProgressHandler) throws -> Outcome {
        guard let local = step.local else { return try download(step, time, progress) }
        guard step.remote != nil else { return try upload(step, .anything, time, progress) }
        let copy = try StorePath(
            ConflictInfo.nameOfCopy(of: step.path.text, device: writer.identity.device))
        try folder.fileSystem.renameExclusively(folder.file(step.path), to: folder.file(copy))
        try folder.fileSystem.synchronizeDirectory(folder.file(copy).parentFolder)
        _ = try upload(local, from: copy, to: copy, .nothing, progress)
        return try download(
            SyncPlan.Step(path: step.path, action: .download, local: nil, remote: step.remote), time, progress
        )
    }
}
