package import SystemPackage
import ValiseAccounts
package import ValiseArchives
package import ValiseFiles

/// The entries of an archive, listed without unpacking it.
public struct ArchiveListing: Sendable, Equatable, Codable {
    /// One entry.
    public struct Entry: Sendable, Equatable, Codable {
        /// The path inside the archive.
        public let name: String
        /// `database`, `file`, `wallpaper`, or `other` for entries that are not part of an account.
        public let role: String
        /// In bytes, unpacked.
        public let size: Int64
        /// In bytes, as it lies in the archive.
        package let packedSize: Int64
        /// `stored` or `deflated`.
        package let method: String
    }

    /// In the order of the archive.
    public let entries: [Entry]
    /// In bytes, unpacked.
    public let totalSize: Int64
    /// In bytes.
    public let archiveSize: Int64
    /// What lies in the bytes and is in none of the entries; an import refuses that.
    package let hidden: [ZipHiddenRecord]
    /// Whether it contains both databases.
    public let isAccount: Bool

    /// Reads the structure with all checks of an import.
    /// - Throws: `ZipError`; `FileError`.
    package init(_ archive: FilePath, limits: ZipLimits = ZipLimits(), fileSystem: FileSystem = FileSystem())
        throws
    {
        let index = try ArchiveStorage(archive, limits: limits, fileSystem: fileSystem).index
        entries = index.entries.filter { !$0.isFolder }.map(Entry.init)
        totalSize = index.totalSize
        archiveSize = index.archiveSize
        hidden = index.hidden
        isAccount = entries.count { $0.role == "database" } == 2
    }
}

extension ArchiveListing.Entry {
    init(_ entry: ZipEntry) {
        let role =
            switch ArchiveLayout.role(of: entry.name) {
            case .database: "database"
            case .file: "file"
            case .wallpaper: "wallpaper"
            case .other: "other"
            }
        self.init(
            name: entry.name, role: role, size: entry.size, packedSize: entry.compressedSize,
            method: "\(entry.method)")
    }
}
