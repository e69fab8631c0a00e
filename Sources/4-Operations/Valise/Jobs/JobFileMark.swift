import SystemPackage
import ValiseFiles

/// Which file was in a place before an operation began, by which a later run knows whether that put another one there.
struct JobFileMark: Codable, Sendable, Equatable {
    let inode: UInt64
    /// In bytes.
    let size: Int64
    /// In seconds since 1970.
    let modified: Int64
    private let modifiedNanoseconds: Int64

    /// - Returns: nil where nothing is there.
    init?(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        inode = found.inode
        size = found.size
        modified = found.modificationTime
        modifiedNanoseconds = found.modificationNanoseconds
    }
}
