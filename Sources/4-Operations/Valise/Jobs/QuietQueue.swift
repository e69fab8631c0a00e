import SystemPackage
import ValiseFiles
import ValiseJobQueue

/// Remembers that nothing was left in the queue when its file was as it is now, so that the next program need not open it
/// to find that out again.
struct QuietQueue {
    private let stamp: String
    private let note: FilePath

    /// - Returns: nil where some process has the queue open, or was killed with it.
    init?(_ folder: FilePath) {
        let fileSystem = FileSystem()
        let path = JobQueue.file(inFolder: folder)
        guard let found = try? fileSystem.attributes(of: path),
            (try? fileSystem.attributes(of: path.appendingSuffix("-wal"))?.size ?? 0) == 0
        else { return nil }
        stamp =
            "\(found.inode) \(found.size) \(found.changeTime).\(found.changeNanoseconds) "
            + "\(found.modificationTime).\(found.modificationNanoseconds)"
        note = folder.appending("quiet")
    }

    /// Whether the queue is known to hold nothing that is left.
    var isKnown: Bool {
        guard let bytes = try? FileSystem().contents(of: note, limit: 1000) else { return false }
        return String(decoding: bytes, as: UTF8.self) == stamp
    }

    /// Nothing is lost where this cannot be written.
    func remember() { try? FileSystem().replace(note, with: Array(stamp.utf8)) }
}
