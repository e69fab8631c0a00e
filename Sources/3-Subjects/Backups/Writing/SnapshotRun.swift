import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSessionStore
import ValiseStorage

/// One run of a ``SnapshotWriter``, under a lock.
struct SnapshotRun {
    let source: SnapshotSource
    let repository: Repository
    let options: SnapshotOptions
    let intake: BlobIntake
    /// The snapshot that is compared with.
    private(set) var past = PastFiles()
    var report: SnapshotReport
    var metadata: BackupMetadata
    /// The account's folder.
    let draft = FolderDraft()

    /// Reads what the repository has.
    init(
        _ source: SnapshotSource, _ repository: Repository, _ options: SnapshotOptions,
        _ report: SnapshotReport, _ known: KnownRepository?, _ progress: ProgressHandler
    ) throws {
        self.source = source
        self.repository = repository
        self.options = options
        self.report = report
        intake = BlobIntake(repository, isDryRun: options.isDryRun)
        metadata = BackupMetadata(
            mode: source.session == nil ? options.mode : .sealed, prefix: source.place.prefix)
        metadata.session = source.session?.facts
        metadata.program = options.program
        metadata.isInUse = report.holder != nil
        guard options.mode != .unencrypted else {
            throw BackupError(.invalid, "encrypted databases are kept open or sealed")
        }
        try compare(with: known?.snapshots ?? lookAtRepository(progress))
    }

    /// Snapshots first: what they name was indexed before they were written.
    private mutating func lookAtRepository(_ progress: ProgressHandler) throws -> [StoredSnapshot] {
        var problems: [String] = []
        try progress(OperationProgress("reading the list of snapshots", unit: .items))
        let snapshots = try repository.snapshots { problems.append("\($0)") }
        try repository.loadIndex(damaged: { problems.append("\($0)") }) { done, total in
            try progress(
                OperationProgress(
                    "reading the index", completed: Int64(done), total: Int64(total), unit: .items))
        }
        report.repositoryProblems = problems
        return snapshots
    }

    private mutating func compare(with snapshots: [StoredSnapshot]) throws {
        metadata.known = try BackupMetadata.KnownSnapshots(snapshots.map(\.id))
        let path = source.place.snapshotPath.string
        let parent = snapshots.last {
            $0.record.hostname == options.hostname && $0.record.paths == [path]
                && !$0.record.time.isAfter(report.time)
        }
        metadata.previous = parent?.id
        if let parent {
            do {
                past = try PastFiles(repository, parent)
                report.parent = parent.id
            } catch let error as RepositoryError {
                // Then everything is read and nothing that is there is stored again.
                report.repositoryProblems.append("\(error)")
            } catch let error as BackupError {
                report.repositoryProblems.append("\(error)")
            }
        }
    }

    /// Puts a file into the snapshot.
    mutating func add(_ node: TreeNode, at name: String) {
        let path = Array(name.utf8)
        guard draft.add(node, at: path) else {
            return fail(name, "the name cannot be one in a folder, or is there already")
        }
        report.totalSize += Int64(clamping: node.size)
        if let before = past[path] {
            if before.content == node.content {
                report.files.unchanged += 1
            } else {
                report.files.changed += 1
            }
        } else {
            report.files.new += 1
        }
    }

    /// Notes what is missing.
    mutating func fail(_ name: String, _ reason: Remark) {
        report.problems.append(EntryFailure(name, reason))
        metadata.problems.append(BackupMetadata.Problem(name, reason.sentence))
    }
}
