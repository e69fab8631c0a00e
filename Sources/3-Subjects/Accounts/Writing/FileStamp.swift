import SystemPackage
package import ValiseFiles

/// By what a file is known again that nobody wrote to: what accounts, moves and jobs note of files.
///
/// Each record writes it under the keys that it always had; this form is that of an account's journal. A disk may get
/// another number each time it is connected, so that the device is not compared. Two others have more to tell apart, and
/// bytes of their own on disk: the `SourceIdentity` of a transfer has the path and the device, the `ExportOrigin` of an
/// entry the device and the change time.
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

    /// That of a file that was looked at.
    package init(_ attributes: FileAttributes) {
        self.init(
            inode: attributes.inode, size: attributes.size, modificationTime: attributes.modificationTime,
            modificationNanoseconds: attributes.modificationNanoseconds)
    }

    /// In seconds since 1970.
    package var modificationTime: Int64 { modified.first ?? 0 }
    package var modificationNanoseconds: Int64 { modified.dropFirst().first ?? 0 }

    /// - Returns: nil when nothing is there.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        guard let attributes = try fileSystem.attributes(of: path) else { return nil }
        self.init(attributes)
    }
}
