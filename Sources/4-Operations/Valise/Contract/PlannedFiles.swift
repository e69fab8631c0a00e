public import SystemPackage
import ValiseAccounts
import ValiseFiles

/// What an operation would do with files, where there is no more to say of it.
public struct PlannedFiles: TimedPlan, Equatable {
    /// Files and folders that would be written where nothing is now.
    public internal(set) var created: [FilePath] = []
    /// Files that would be replaced.
    public internal(set) var replaced: [FilePath] = []
    /// Files and folders that would be removed.
    public internal(set) var removed: [FilePath] = []
    public internal(set) var bytesToProcess: Int64 = 0
    /// Bytes that are free where most is written; nil where nothing is.
    public internal(set) var freeSpace: Int64?

    /// Puts each path where it belongs: it is replaced where something is there.
    mutating func write(_ paths: [FilePath]) throws {
        for path in paths {
            if try FileSystem().exists(path) { replaced.append(path) } else { created.append(path) }
        }
    }

    /// Looks at the space where a file or folder would be, or at that of the nearest folder that is there.
    mutating func lookAtSpace(for path: FilePath) throws {
        var folder = path
        repeat { folder = folder.parentFolder } while try !FileSystem().exists(folder)
        freeSpace = try FileSystem().freeSpace(at: folder)
    }
}
