package import ValiseStorage

/// A snapshot: when, of what, and which tree.
package struct SnapshotRecord: Sendable, Equatable {
    /// The start of the backup, in the zone of the machine. Nothing proves it: whoever writes into a repository can write any.
    package var time: RecordTime
    /// The snapshot whose files did not have to be read again.
    package var parent: ContentID?
    package var tree: ContentID
    /// What was backed up, absolute.
    package var paths: [String]
    package var hostname = ""
    package var username = ""
    package var userID: UInt32 = 0
    package var groupID: UInt32 = 0
    /// Patterns of what was left out.
    package var excludes: [String] = []
    package var tags: [String] = []
    /// The first of the snapshots that this one replaced: each change writes another file.
    package var original: ContentID?
    /// Such as `restic 0.18.0`.
    package var program = ""
    package var summary: SnapshotSummary?
    /// Whether the record had fields that this program does not know. A changed snapshot would lose them.
    package var hasUnknownFields = false

    package init(time: RecordTime, tree: ContentID, paths: [String]) {
        self.time = time
        self.tree = tree
        self.paths = paths
    }
}

extension SnapshotRecord {
    /// Reads the JSON of a snapshot. Fields of rustic and of later versions are ignored.
    /// - Throws: ``RepositoryError``, `damaged`, where it is none, or has no time, tree or paths.
    package init(_ json: [UInt8]) throws(RepositoryError) {
        var reader = RecordReader(json)
        var (time, tree, paths): (RecordTime?, ContentID?, [String]?)
        let none = ContentID(words: (0, 0, 0, 0))
        var record = SnapshotRecord(time: TreeNode.noTime, tree: none, paths: [])
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if try reader.takeNull() { continue }
            switch key {
            case "time": time = try reader.time()
            case "tree": tree = try reader.id()
            case "paths": paths = try reader.texts()
            default: try reader.field(key, of: &record)
            }
        }
        try reader.end()
        guard let time, let tree, let paths else {
            throw RepositoryError(.damaged, "the snapshot has no time, tree or paths")
        }
        (record.time, record.tree, record.paths) = (time, tree, paths)
        self = record
    }

    /// The JSON as restic writes it.
    package var json: [UInt8] {
        var writer = GoJSONWriter()
        writer.beginObject()
        writer.name("time")
        writer.value(time.text)
        if let parent {
            writer.name("parent")
            writer.value(parent)
        }
        writer.name("tree")
        writer.value(tree)
        writer.name("paths")
        writer.value(paths)
        writer.unlessEmpty("hostname", hostname)
        writer.unlessEmpty("username", username)
        writer.unlessZero("uid", userID)
        writer.unlessZero("gid", groupID)
        for (name, texts) in [("excludes", excludes), ("tags", tags)] where !texts.isEmpty {
            writer.name(name)
            writer.value(texts)
        }
        if let original {
            writer.name("original")
            writer.value(original)
        }
        writer.unlessEmpty("program_version", program)
        if let summary {
            writer.name("summary")
            writer.value(summary)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension GoJSONWriter {
    fileprivate mutating func value(_ texts: [String]) {
        beginArray()
        for text in texts { value(text) }
        endArray()
    }
}

extension RecordReader {
    fileprivate mutating func field(
        _ key: RecordKey, of record: inout SnapshotRecord
    ) throws(RepositoryError) {
        switch key {
        case "parent": record.parent = try id()
        case "hostname": record.hostname = try text()
        case "username": record.username = try text()
        case "uid": record.userID = try unsigned()
        case "gid": record.groupID = try unsigned()
        case "excludes": record.excludes = try texts()
        case "tags": record.tags = try texts()
        case "original": record.original = try id()
        case "program_version": record.program = try text()
        case "summary": record.summary = try summary()
        default:
            record.hasUnknownFields = true
            try skip()
        }
    }
}
