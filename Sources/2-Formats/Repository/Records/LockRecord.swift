/// A lock: who works on a repository, and whether alone.
package struct LockRecord: Sendable, Equatable {
    /// When it was written: each refresh writes a new file.
    package var time: RecordTime
    package var isExclusive: Bool
    package var hostname: String
    package var username: String
    package var processID: Int64
    package var userID: UInt32 = 0
    package var groupID: UInt32 = 0

    package init(
        time: RecordTime, isExclusive: Bool, hostname: String, username: String, processID: Int64
    ) {
        self.time = time
        self.isExclusive = isExclusive
        self.hostname = hostname
        self.username = username
        self.processID = processID
    }

    /// Reads the JSON of a lock.
    /// - Throws: ``RepositoryError``, `damaged`, where it is none or has no time.
    package init(_ json: [UInt8]) throws(RepositoryError) {
        var reader = RecordReader(json)
        self.init(time: TreeNode.noTime, isExclusive: false, hostname: "", username: "", processID: 0)
        var hasTime = false
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if try reader.takeNull() { continue }
            switch key {
            case "time":
                time = try reader.time()
                hasTime = true
            case "exclusive": isExclusive = try reader.bool()
            case "hostname": hostname = try reader.text()
            case "username": username = try reader.text()
            case "pid": processID = try reader.integer()
            case "uid": userID = try reader.unsigned()
            case "gid": groupID = try reader.unsigned()
            default: try reader.skip()
            }
        }
        try reader.end()
        guard hasTime else { throw RepositoryError(.damaged, "the lock has no time") }
    }

    /// The JSON as restic writes it.
    package var json: [UInt8] {
        var writer = GoJSONWriter()
        writer.beginObject()
        writer.name("time")
        writer.value(time.text)
        writer.name("exclusive")
        writer.value(isExclusive)
        writer.name("hostname")
        writer.value(hostname)
        writer.name("username")
        writer.value(username)
        writer.name("pid")
        writer.value(processID)
        writer.unlessZero("uid", userID)
        writer.unlessZero("gid", groupID)
        writer.endObject()
        return writer.bytes
    }
}
