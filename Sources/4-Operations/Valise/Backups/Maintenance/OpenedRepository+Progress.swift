import ValiseConcurrency
import ValiseRepository

extension OpenedRepository {
    /// Tells how far maintenance is, and stops it where its lock is lost.
    /// - Throws: `RepositoryError` where others may take the lock for stale; whatever `progress` throws.
    func tell(
        _ stage: MaintenanceStage, _ done: Int64, _ total: Int64?, _ progress: ProgressHandler
    ) throws {
        try lock.check()
        try progress(
            OperationProgress(
                stage.activity, completed: done, total: total, unit: stage == .packs ? .bytes : .items))
    }
}

extension MaintenanceStage {
    fileprivate var activity: String {
        switch self {
        case .files: "reading small files"
        case .index: "reading the index"
        case .trees: "reading trees"
        case .packs: "reading data"
        case .strays: "looking at what an interrupted run stored"
        case .losses: "looking for what is lost"
        case .repacking: "repacking"
        case .writingIndex: "writing the index"
        case .removing: "removing files"
        }
    }
}
