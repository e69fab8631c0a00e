import SystemPackage
import ValiseFiles

/// By what a file is known again that nobody wrote to.
struct FileStamp: Codable, Equatable {
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int64]

    /// - Returns: nil when nothing is there.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let attributes = try fileSystem.attributes(of: path) else { return nil }
        inode = attributes.inode
        size = attributes.size
        modified = [attributes.modificationTime, attributes.modificationNanoseconds]
    }
}
