import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseStorage

extension SnapshotRun {
    /// Stores folders; for one thread.
    private final class TreeSaver {
        private var saver: BlobSaver

        init(_ writer: RepositoryWriter) throws { saver = try BlobSaver(writer, .tree) }

        func save(_ tree: [UInt8]) throws -> ContentID { try saver.save(tree) }
        func flush() throws { try saver.flush() }
    }

    /// Stores metadata and folders, then the index, then the snapshot.
    /// - Parameter confirm: is called before the snapshot is stored; throw where others may have removed what it names.
    mutating func finish(_ progress: ProgressHandler, confirming confirm: () throws -> Void) throws {
        try progress(OperationProgress("writing the snapshot"))
        try addMetadata()
        // What is stored has its memory back before folders with all identifiers are written.
        try intake.finish { try progress(OperationProgress("writing the snapshot")) }
        let trees = try intake.writer.map { try TreeSaver($0) }
        let root = try writeTrees(trees)
        try trees?.flush()
        guard let writer = intake.writer else {
            report.addedSize = intake.estimated.size
            report.dataBlobs = intake.estimated.blobs - report.treeBlobs
            return
        }
        try progress(OperationProgress("writing the snapshot"))
        try writer.flushIndex()
        let totals = writer.totals
        report.dataBlobs = totals.dataBlobs
        report.treeBlobs = totals.treeBlobs
        report.addedSize = totals.contentSize
        report.storedSize = totals.storedSize
        // The last moment at which it can be stopped.
        try progress(OperationProgress("writing the snapshot"))
        try confirm()
        report.snapshot = try repository.save(.snapshots, record(root).json)
    }

    /// Lets the next run find what was stored until now.
    func keep(confirming confirm: () throws -> Void) throws {
        guard let writer = intake.writer else { return }
        try confirm()
        try writer.keep()
    }

    private func addMetadata() throws {
        let bytes = try metadata.encode()
        var ids: [ContentID] = []
        for start in stride(from: 0, to: bytes.count, by: PackBuilder.largestBlob) {
            let piece = bytes[start..<min(bytes.count, start + PackBuilder.largestBlob)]
            ids.append(try unsafe piece.withUnsafeBytes { try unsafe intake.save($0, compresses: true).id })
        }
        var node = TreeNode(
            name: [], .file, mode: FileMode(posix: 0o100600), modified: RecordTime(report.time.utc))
        node.size = UInt64(bytes.count)
        node.links = 1
        node.userID = ProcessIdentity.user
        node.content = ids
        guard draft.add(node, at: Array("\(BackupMetadata.folder)/\(BackupMetadata.file)".utf8)) else {
            throw BackupError(.failed, "no place for the metadata of the backup")
        }
    }

    private mutating func writeTrees(_ trees: TreeSaver?) throws -> ContentID {
        let (folder, modified) = try draft.write { path, tree in
            let id = try save(tree, trees)
            switch past.folder(path) {
            case nil: report.folders.new += 1
            case id: report.folders.unchanged += 1
            default: report.folders.changed += 1
            }
            return id
        }
        var encoder = TreeEncoder()
        try encoder.append(FolderDraft.node(source.place.snapshotName, folder, modified))
        return try save(encoder.finish(), trees)
    }

    private mutating func save(_ tree: [UInt8], _ trees: TreeSaver?) throws -> ContentID {
        if let trees { return try trees.save(tree) }
        let id = try ContentID(hashing: tree)
        if !repository.contains(id, .tree), intake.note(id, size: tree.count) { report.treeBlobs += 1 }
        return id
    }

    private func record(_ root: ContentID) -> SnapshotRecord {
        var record = SnapshotRecord(time: report.time, tree: root, paths: [source.place.snapshotPath.string])
        record.parent = report.parent
        record.hostname = options.hostname
        record.username = options.username
        record.userID = ProcessIdentity.user
        record.tags = options.tags
        for (tag, isSet) in [("partial", report.isPartial), ("in-use", report.holder != nil)]
        where isSet && !record.tags.contains(tag) {
            record.tags.append(tag)
        }
        record.program = options.program
        record.summary = summary
        return record
    }

    private var summary: SnapshotSummary {
        var summary = SnapshotSummary(start: report.time, end: .now())
        let figures: [(SnapshotSummary.Figure, Int64)] = [
            (.newFiles, Int64(report.files.new)), (.changedFiles, Int64(report.files.changed)),
            (.unchangedFiles, Int64(report.files.unchanged)), (.newFolders, Int64(report.folders.new)),
            (.changedFolders, Int64(report.folders.changed)),
            (.unchangedFolders, Int64(report.folders.unchanged)), (.dataBlobs, Int64(report.dataBlobs)),
            (.treeBlobs, Int64(report.treeBlobs)), (.added, report.addedSize),
            (.addedPacked, report.storedSize ?? 0), (.files, Int64(report.files.total)),
            (.bytes, report.totalSize),
        ]
        for (figure, number) in figures { summary[figure] = UInt64(clamping: number) }
        return summary
    }
}
