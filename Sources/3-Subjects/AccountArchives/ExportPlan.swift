package import ValiseAccounts

/// What an export would do.
public struct ExportPlan: Sendable, Equatable, Encodable {
    /// Files that would be missing from the archive.
    public internal(set) var archiveErrors: [ArchiveError] = []
    /// The archive.
    package let archivePath: String
    /// The number of entries.
    public internal(set) var entries = 0
    /// The number of bytes to read.
    public internal(set) var sourceSize: Int64 = 0
    /// The maximum archive size in bytes.
    public internal(set) var spaceNeeded: Int64 = 0
    /// In bytes.
    public internal(set) var spaceFree: Int64 = 0
    /// Whether the databases were opened with the passphrase.
    package internal(set) var databasesOpened = false
    /// Whether an export checks the databases for damage.
    package internal(set) var checksDatabases = false
    /// The program that was using the account; nil where none was.
    package internal(set) var inUse: String?
    /// Databases whose journal would be folded in on a private copy.
    package internal(set) var folded: [AccountDatabase] = []
    /// What would be left out because the archive is to be partial; nil for a whole one.
    package internal(set) var partial: PartialArchive?

    package init(
        archivePath: String, entries: Int = 0, sourceSize: Int64 = 0, spaceNeeded: Int64 = 0,
        spaceFree: Int64 = 0
    ) {
        self.archivePath = archivePath
        self.entries = entries
        self.sourceSize = sourceSize
        self.spaceNeeded = spaceNeeded
        self.spaceFree = spaceFree
    }

    private enum CodingKeys: CodingKey {
        case archiveErrors, archivePath, entries, sourceSize, spaceNeeded, spaceFree
        case databasesOpened, inUse, folded, partial
    }
}
