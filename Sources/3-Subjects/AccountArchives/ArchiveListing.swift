package import SystemPackage
import ValiseAccounts
package import ValiseArchives
package import ValiseConcurrency
import ValiseContainers
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
        /// In bytes, as it lies in the archive; nil where the entries are packed together.
        package let packedSize: Int64?
        /// `stored` or `deflated`, or with what the entries are packed together.
        package let method: String
    }

    /// In the order of the archive.
    public let entries: [Entry]
    /// In bytes, unpacked.
    package let totalSize: Int64
    /// In bytes.
    public let archiveSize: Int64
    /// What lies in the bytes and is in none of the entries; an import refuses that.
    package let hidden: [ZipHiddenRecord]
    /// Whether it contains both databases.
    public let isAccount: Bool
    /// Such as `tar.gz`; nil for a zip.
    package let container: String?

    /// Reads the structure with all checks of an import.
    ///
    /// - Parameters:
    ///   - archive: a zip, or a tar, cpio or 7z, which is read from its begin to its end.
    ///   - limits: how far its claims are trusted.
    ///   - fileSystem: where it is read.
    ///   - progress: sees how much of a container was read; throw to stop.
    /// - Throws: `ZipError`; `ContainerError`; `FileError`; whatever `progress` throws.
    package init(
        _ archive: FilePath, limits: ZipLimits = ZipLimits(), fileSystem: FileSystem = FileSystem(),
        progress: ProgressHandler = { _ in }
    ) throws {
        let source = try FileSource(archive, fileSystem: fileSystem)
        if let kind = try ContainerKind(of: source) {
            self = try withoutActuallyEscaping(progress) { progress in
                let reader = try ContainerReader(source, kind, limits: limits) { done in
                    try progress(
                        OperationProgress("reading the archive", completed: done, total: source.size))
                }
                return try ArchiveListing(reader, archiveSize: source.size)
            }
            return
        }
        let index = try ArchiveStorage(source, limits: limits).index
        container = nil
        entries = index.entries.filter { !$0.isFolder }.map(Entry.init)
        totalSize = index.totalSize
        archiveSize = index.archiveSize
        hidden = index.hidden
        isAccount = entries.count { $0.role == "database" } == 2
    }

    private init(_ reader: ContainerReader, archiveSize: Int64) throws {
        var entries: [Entry] = []
        while let entry = try reader.next() {
            if !entry.isFolder { entries.append(Entry(entry, reader.packing)) }
        }
        self.entries = entries
        container = reader.format
        totalSize = reader.totalSize
        self.archiveSize = archiveSize
        hidden = []
        isAccount = entries.count { $0.role == "database" } == 2
    }
}

extension ArchiveListing.Entry {
    init(_ entry: ZipEntry) {
        self.init(
            name: entry.name, role: Self.role(of: entry.name), size: entry.size,
            packedSize: entry.compressedSize, method: "\(entry.method)")
    }

    /// - Parameter packing: with what all entries are packed together; nil for nothing.
    init(_ entry: ContainerEntry, _ packing: String?) {
        self.init(
            name: entry.name, role: Self.role(of: entry.name), size: entry.size,
            packedSize: packing == nil ? entry.size : nil, method: packing ?? "stored")
    }

    private static func role(of name: String) -> String {
        switch ArchiveLayout.role(of: name) {
        case .database: "database"
        case .file: "file"
        case .wallpaper: "wallpaper"
        case .other: "other"
        }
    }
}
