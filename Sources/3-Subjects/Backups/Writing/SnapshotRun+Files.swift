import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository

extension SnapshotRun {
    /// Stores media and all else that is no database. What did not change is not read.
    mutating func addFiles(_ progress: ProgressHandler) throws {
        let (entries, leftOut) = try reader.entries()
        report.leftOut = leftOut
        var files: [FileReading.File] = []
        for entry in entries where entry.role != .database {
            guard !entry.name.utf8.starts(with: "\(BackupMetadata.folder)/".utf8) else {
                report.leftOut.append(entry.name)
                continue
            }
            var node = Self.node(entry)
            if let content = past.unchanged(node, Array(entry.name.utf8), in: repository) {
                node.content = content
                add(node, at: entry.name)
            } else {
                files.append(FileReading.File(entry, node))
            }
        }
        metadata.leftOut = report.leftOut
        let reading = FileReading(files, reader, intake, cutting: options.cutting)
        try reading.run(polynomial: repository.config.chunkerPolynomial.bits) { done, total in
            try progress(OperationProgress("reading media", completed: done, total: total))
        }
        for file in files {
            switch file.result {
            case .success(let node): add(node, at: file.entry.name)
            case .failure(let error):
                fail(file.entry.name, (error as? any Failure).map { Remark($0) } ?? "\(error)")
            }
        }
    }

    private static func node(_ entry: AccountEntry) -> TreeNode {
        let permissions = entry.attributes.map { UInt32($0.permissions.rawValue) } ?? 0o600
        let modified = entry.modified.map { RecordTime($0) } ?? TreeNode.noTime
        var node = TreeNode(
            name: [], .file, mode: FileMode(posix: 0o100000 | permissions & 0o7777), modified: modified)
        node.size = UInt64(clamping: entry.size)
        node.links = 1
        node.userID = ProcessIdentity.user
        if let attributes = entry.attributes {
            node.changed = RecordTime(
                seconds: attributes.changeTime, nanoseconds: Int(attributes.changeNanoseconds))
            node.userID = attributes.owner
            node.groupID = attributes.group
            node.inode = attributes.inode
        }
        return node
    }
}
