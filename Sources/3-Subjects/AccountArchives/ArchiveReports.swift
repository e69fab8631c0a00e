package import ValiseAccounts

/// How an export ended.
public struct ExportReport: Sendable, Equatable {
    /// Files missing from the archive or incomplete in it, and damaged databases.
    package var archiveErrors: [ArchiveError] = []
    /// The archive.
    package var archivePath: String
    /// The number of entries.
    public var entries = 0
    /// Entries that are stored because packing would not have made them smaller, or was not wanted.
    package var storedEntries = 0
    /// The number of bytes read.
    public var sourceSize: Int64 = 0
    /// The archive size in bytes.
    public var archiveSize: Int64 = 0
    /// Whether the databases were opened with the passphrase before they were copied.
    package var databasesOpened = false
    /// Whether the content of both databases was checked for damage: what is not has no errors.
    package var areDatabasesChecked = false
    /// The program that was using the account; nil where none was.
    package var inUse: String?
    /// Databases whose journal was folded in on a private copy.
    package var folded: [AccountDatabase] = []
    /// What was left out because a part was asked for; nil for a whole archive.
    package var partial: PartialArchive?
    /// Whether another export of the same files would have the same bytes, where that was asked for: an encrypted
    /// database with a write-ahead log that is folded in is not the same twice. Nil otherwise.
    package var isReproducible: Bool?
    /// The hexadecimal SHA-256 of a reproducible archive; nil otherwise.
    public var sha256: String?
    /// What an interrupted run had left; nil for nothing.
    package var recovery: AccountRecovery?
}

/// How an import ended.
package struct ImportReport: Sendable, Equatable {
    /// Entries that were not imported.
    package var archiveErrors: [ArchiveError] = []
    /// Entries that are no part of an account; they were left in the archive.
    package var ignored: [String] = []
    /// The number of imported files, including the databases.
    package var entries = 0
    /// Their bytes.
    package var size: Int64 = 0
    /// Whether the databases were opened with the passphrase and checked; their form alone was checked otherwise.
    package var databasesOpened = false
    /// What the import led to; `refused` where that was allowed.
    package var outlook = ImportOutlook.notKnown
    /// Whether an existing account was replaced.
    package var replacedAccount = false
    /// How old the archive's account is against the one that it replaced; nil where none was.
    package var age: ImportAge?
    /// Where the replaced account is kept; nil where it is not.
    package var keptPrevious: KeptPrevious?
    /// Whether it is only to be read; see `ReadOnlyMark`.
    package var isReadOnly = false
    /// What an interrupted run had left; nil for nothing.
    package var recovery: AccountRecovery?
}

/// The account that an import replaced and kept.
package struct KeptPrevious: Sendable, Equatable, Encodable {
    /// Its folder: an account of its own.
    package let directory: String
    /// How its media came along.
    package let media: PreviousAccount.Media
    /// Whether both databases were there; a half account cannot be exported.
    package let isIntact: Bool

    private enum CodingKeys: String, CodingKey {
        case directory, media
        case isIntact = "isWhole"
    }

    package init(directory: String, media: PreviousAccount.Media, isIntact: Bool) {
        self.directory = directory
        self.media = media
        self.isIntact = isIntact
    }
}

extension ExportReport: Encodable {
    private enum Key: String, CodingKey {
        case type, archiveErrors, archivePath, entries, storedEntries, sourceSize, archiveSize
        case databasesOpened, folded, partial, isReproducible, sha256, inUse
    }

    /// The official answer (`type`, `archiveErrors`), then what only Valise tells.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("archiveExported", forKey: .type)
        try container.encode(archiveErrors, forKey: .archiveErrors)
        try container.encode(archivePath, forKey: .archivePath)
        try container.encode(entries, forKey: .entries)
        try container.encode(storedEntries, forKey: .storedEntries)
        try container.encode(sourceSize, forKey: .sourceSize)
        try container.encode(archiveSize, forKey: .archiveSize)
        try container.encode(databasesOpened, forKey: .databasesOpened)
        try container.encode(folded, forKey: .folded)
        try container.encodeIfPresent(partial, forKey: .partial)
        try container.encodeIfPresent(isReproducible, forKey: .isReproducible)
        try container.encodeIfPresent(sha256, forKey: .sha256)
        try container.encodeIfPresent(inUse, forKey: .inUse)
    }
}

extension ImportReport: Encodable {
    private enum Key: String, CodingKey {
        case type, archiveErrors, ignored, entries, size, databasesOpened, outlook, replacedAccount
        case age, isReadOnly
        case keptPrevious = "keptFormer"
    }

    /// The official answer (`type`, `archiveErrors`), then what only Valise tells.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("archiveImported", forKey: .type)
        try container.encode(archiveErrors, forKey: .archiveErrors)
        try container.encode(ignored, forKey: .ignored)
        try container.encode(entries, forKey: .entries)
        try container.encode(size, forKey: .size)
        try container.encode(databasesOpened, forKey: .databasesOpened)
        try container.encode(outlook, forKey: .outlook)
        try container.encode(replacedAccount, forKey: .replacedAccount)
        try container.encodeIfPresent(age, forKey: .age)
        try container.encodeIfPresent(keptPrevious, forKey: .keptPrevious)
        try container.encode(isReadOnly, forKey: .isReadOnly)
    }
}
