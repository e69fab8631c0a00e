import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseRepository
import ValiseSessionStore

extension SnapshotRun {
    /// Stores media and all else that is no database. What did not change is not read.
    mutating func addFiles(_ progress: ProgressHandler) throws {
        let (entries, leftOut) = try source.entries()
        report.leftOut = leftOut
        var files: [FileReading.File] = []
        for entry in entries where entry.role != .database {
            guard !entry.name.utf8.starts(with: "\(BackupMetadata.folder)/".utf8) else {
                report.leftOut.append(entry.name)
                continue
            }
            var node = Self.node(entry)
            if !source.isAlwaysRead(entry),
                let content = past.unchanged(node, Array(entry.name.utf8), in: repository)
            {
                node.content = content
                add(node, at: entry.name)
            } else {
                files.append(FileReading.File(entry, node, pieceSize: pieceSize(of: entry)))
            }
        }
        metadata.leftOut = report.leftOut
        let reading = FileReading(files, source, intake, cutting: options.cutting)
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

    /// Of a database a page or some, so that what did not change is not stored again.
    private func pieceSize(of entry: AccountEntry) -> Int {
        guard let session = source.session, session.kind.database == entry.name else {
            return FileReading.pieceSize
        }
        let pageSize = CipherSettings.format4.pageSize
        let first = past[Array(entry.name.utf8)]?.content.first
        return pageSize
            * PageGroups.size(
                of: entry.size, pageSize: pageSize,
                previous: first.flatMap { try? repository.place(of: $0, .data).blob.contentLength },
                most: FileReading.pieceSize / pageSize)
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
