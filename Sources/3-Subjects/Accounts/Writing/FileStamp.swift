import SystemPackage
import ValiseFiles

/// By what a file is known again that nobody wrote to.
package struct FileStamp: Codable, Equatable, Sendable {
    package let inode: UInt64
    /// In bytes.
    package let size: Int64
    /// Seconds since 1970, and nanoseconds.
    private let modified: [Int64]

    package init(
        inode: UInt64, size: Int64, modificationTime: Int64, modificationNanoseconds: Int64
    ) {
        self.inode = inode
        self.size = size
        modified = [modificationTime, modificationNanoseconds]
    }

    /// In seconds since 1970.
    package var modificationTime: Int64 { modified.first ?? 0 }
    package var modificationNanoseconds: Int64 { modified.dropFirst().first ?? 0 }

    /// - Returns: nil when nothing is there.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let attributes = try fileSystem.attributes(of: path) else { return nil }
        inode = attributes.inode
        size = attributes.size
        modified = [attributes.modificationTime, attributes.modificationNanoseconds]
    }
}
