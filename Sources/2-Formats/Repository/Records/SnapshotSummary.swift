/// What a backup did, as restic since 0.17 keeps it in the snapshot.
package struct SnapshotSummary: Sendable, Equatable {
    /// A number by its name in the record, in the order of the record.
    package enum Figure: String, CaseIterable, Sendable {
        case newFiles = "files_new"
        case changedFiles = "files_changed"
        case unchangedFiles = "files_unmodified"
        case newFolders = "dirs_new"
        case changedFolders = "dirs_changed"
        case unchangedFolders = "dirs_unmodified"
        case dataBlobs = "data_blobs"
        case treeBlobs = "tree_blobs"
        /// Bytes of new blobs.
        case added = "data_added"
        /// Bytes that they take in the repository.
        case addedPacked = "data_added_packed"
        case files = "total_files_processed"
        case bytes = "total_bytes_processed"
    }

    package var start: RecordTime
    package var end: RecordTime
    private var figures: [UInt64] = Array(repeating: 0, count: Figure.allCases.count)

    package init(start: RecordTime, end: RecordTime) {
        self.start = start
        self.end = end
    }

    /// Zero for what the record has not.
    package subscript(_ figure: Figure) -> UInt64 {
        get { figures[figure.place] }
        set { figures[figure.place] = newValue }
    }
}

extension SnapshotSummary.Figure {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    fileprivate static let keys = allCases.map { RecordKey($0.rawValue.utf8) }
}

extension RecordReader {
    /// Other numbers, such as those of rustic, are ignored.
    mutating func summary() throws(RepositoryError) -> SnapshotSummary {
        var summary = SnapshotSummary(start: TreeNode.noTime, end: TreeNode.noTime)
        try beginObject()
        while let key = try nextKey() {
            if try takeNull() { continue }
            if key == "backup_start" {
                summary.start = try time()
            } else if key == "backup_end" {
                summary.end = try time()
            } else if let place = SnapshotSummary.Figure.keys.firstIndex(of: key) {
                summary[SnapshotSummary.Figure.allCases[place]] = try unsigned()
            } else {
                try skip()
            }
        }
        return summary
    }
}

extension GoJSONWriter {
    /// All numbers, also those that are zero.
    mutating func value(_ summary: SnapshotSummary) {
        beginObject()
        for (key, time) in [("backup_start", summary.start), ("backup_end", summary.end)] {
            name(key)
            value(time.text)
        }
        for figure in SnapshotSummary.Figure.allCases {
            name(figure.rawValue)
            value(summary[figure])
        }
        endObject()
    }
}
