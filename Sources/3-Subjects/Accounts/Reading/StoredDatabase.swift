public import SystemPackage

/// A database of an account that is read, as it is stored.
public struct StoredDatabase: Sendable {
    public let database: AccountDatabase
    /// The file or the entry, as the user knows it.
    public let path: FilePath
    /// What its first bytes say.
    public let form: DatabaseFile.Form
    /// In bytes, without what waits in a side file.
    public let size: Int64
    /// When it was last written to, in seconds since 1970.
    public let modificationTime: Int64
    /// Whether a transaction may wait in a side file that a crashed program left, or in a write-ahead log.
    public let needsFolding: Bool
    /// Whether that is a rollback journal alone, for which no passphrase is needed.
    package let hasJournalAlone: Bool

    /// Whether a passphrase is needed for it.
    public var asksForPassphrase: Bool { form == .encrypted || form == .unknown }
}
