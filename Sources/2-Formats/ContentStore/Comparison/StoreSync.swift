import Synchronization
package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
import ValiseStorage

/// Does what a ``SyncPlan`` says.
///
/// Each step looks first whether folder and store still are what the plan saw, and is atomic: after an interruption, another plan
/// has what is left. A step that somebody did already does nothing.
package struct StoreSync: Sendable {
    let writer: StoreWriter
    let folder: SyncFolder
    let options: StoreUploadOptions
    private let resolutions: @Sendable (SyncPlan.Step) -> ConflictResolution?

    /// Smaller files are moved side by side, in bytes.
    private static let small: Int64 = 256 << 10
    private static let batch = 64

    /// - Parameters:
    ///   - writer: of the store.
    ///   - folder: on disk.
    ///   - options: how files are uploaded.
    ///   - resolutions: how a conflict is ended; nil to leave both as they are.
    ///   - fileSystem: what the folder is changed by.
    package init(
        _ writer: StoreWriter, _ folder: FilePath, _ options: StoreUploadOptions = StoreUploadOptions(),
        fileSystem: FileSystem = FileSystem(),
        resolutions: @escaping @Sendable (SyncPlan.Step) -> ConflictResolution? = { _ in nil }
    ) {
        self.writer = writer
        self.folder = SyncFolder(folder: folder, fileSystem: fileSystem)
        self.options = options
        self.resolutions = resolutions
    }

    /// What became of a step.
    enum Outcome: Sendable {
        /// Both have this now.
        case same(SyncBase.Entry)
        /// Neither has it any more.
        case gone
        case conflict
        /// Folder or store are not what the plan saw.
        case changed
    }

    /// Does the steps of a plan. A file that fails does not stop the others.
    ///
    /// - Parameters:
    ///   - plan: made for this store, folder and base.
    ///   - base: gets what both have in common now.
    ///   - save: keeps the base, now and then and at the end.
    ///   - progress: bytes; throw to stop.
    /// - Throws: `StorageError` where the store is not reached any more; whatever a closure throws. The base has what was done.
    package func run(
        _ plan: SyncPlan, _ base: inout SyncBase, save: (SyncBase) throws -> Void = { _ in },
        progress: ProgressHandler = { _ in }
    ) throws -> SyncReport {
        base.entries.merge(plan.same) { $1 }
        for path in plan.gone { base.entries[path] = nil }
        var report = SyncReport()
        var rest = plan.steps[...]
        do {
            while !rest.isEmpty {
                let steps = Self.takeBatch(&rest)
                let results = try perform(steps, plan.time) { bytes in
                    try progress(
                        OperationProgress("synchronizing", completed: report.bytes + bytes, total: plan.bytes)
                    )
                }
                for (step, result) in zip(steps, results) { try note(step, result, &base, &report) }
                try save(base)
            }
        } catch {
            try? save(base)
            throw error
        }
        if plan.steps.isEmpty { try save(base) }
        return report
    }

    /// Small files together, a large one alone.
    private static func takeBatch(_ rest: inout ArraySlice<SyncPlan.Step>) -> [SyncPlan.Step] {
        let steps = rest.prefix(batch).prefix { $0.bytes < small }
        let taken = steps.isEmpty ? rest.prefix(1) : steps
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }

    private func perform(
        _ steps: [SyncPlan.Step], _ time: Int64, _ progress: (Int64) throws -> Void
    ) throws -> [Result<Outcome, any Error>] {
        if steps.count == 1 {
            return [Result { try perform(steps[0], time) { try progress($0.completed) } }]
        }
        let results = Mutex<[Int: Result<Outcome, any Error>]>([:])
        try ParallelBatches.run(count: steps.count, workers: writer.store.rules.chunksInFlight) {
        } work: { _, number in
            let result = Result { try perform(steps[number], time) { _ in } }
            results.withLock { $0[number] = result }
            // Where one cannot go on, none can.
            if case .failure(let error) = result, (error as? any Failure)?.isOfObject != true { throw error }
        } report: { done in
            try progress(steps.prefix(done).reduce(0) { $0 + $1.bytes })
        }
        return results.withLock { results in steps.indices.compactMap { results[$0] } }
    }

    private func note(
        _ step: SyncPlan.Step, _ result: Result<Outcome, any Error>, _ base: inout SyncBase,
        _ report: inout SyncReport
    ) throws {
        do {
            switch try result.get() {
            case .same(let entry): base.entries[step.path] = entry
            case .gone: base.entries[step.path] = nil
            case .conflict:
                report.conflicts.append(step.path)
                return
            case .changed:
                report.changed.append(step.path)
                return
            }
            report.done[step.action, default: 0] += 1
            report.bytes += step.bytes
        } catch let error as ContentStoreError where error.kind == .conflict {
            report.changed.append(step.path)
        } catch let error as any Failure where error.isOfObject {
            report.failed.append((step.path, error))
        }
    }

    // MARK: Steps

    /// The step with the resolution of its conflict.
    private func perform(
        _ step: SyncPlan.Step, _ time: Int64, _ progress: ProgressHandler
    ) throws -> Outcome {
        guard try folder.isUnchanged(step.path, step.local) else { return .changed }
        switch step.action {
        case .upload: return try upload(step, basis(step), time, progress)
        case .download: return try download(step, time, progress)
        case .removeFromStore: return try removeFromStore(step)
        case .removeFromFolder: return try removeFromFolder(step)
        case .conflict:
            switch resolutions(step) {
            case nil: return .conflict
            case .keepLocal?:
                return step.local == nil
                    ? try removeFromStore(step) : try upload(step, .anything, time, progress)
            case .keepRemote?:
                return step.remote == nil ? try removeFromFolder(step) : try download(step, time, progress)
            case .keepBoth?: return try keepBoth(step, time, progress)
            }
        }
    }

    private func basis(_ step: SyncPlan.Step) -> WriteBasis {
        step.remote.map { .clock($0.clock) } ?? .nothing
    }
}
