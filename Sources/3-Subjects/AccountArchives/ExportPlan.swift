package import ValiseAccounts

/// What an export would do. Nothing was written for it.
public struct ExportPlan: Sendable, Equatable, Encodable {
    /// Files that would not be in the archive.
    public internal(set) var archiveErrors: [ArchiveError] = []
    /// The archive.
    package let archivePath: String
    /// How many entries it would have.
    public internal(set) var entries = 0
    /// The bytes of all that would be read.
    public internal(set) var sourceSize: Int64 = 0
    /// What the archive takes at most, in bytes.
    public internal(set) var spaceNeeded: Int64 = 0
    /// In bytes.
    public internal(set) var spaceFree: Int64 = 0
    /// Whether the databases were opened with the passphrase.
    package internal(set) var databasesOpened = false
    /// The program that was using the account; nil where none was.
    package internal(set) var inUse: String?
    /// Databases whose journal would be folded in on a private copy.
    package internal(set) var folded: [AccountDatabase] = []
    /// What would be left out because the archive is to be partial; nil for a whole one.
    package internal(set) var partial: PartialArchive?
}
