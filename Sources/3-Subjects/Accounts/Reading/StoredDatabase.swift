package import SystemPackage

/// A database of an account that is read, as it is stored.
package struct StoredDatabase: Sendable {
    package let database: AccountDatabase
    /// The file or the entry, as the user knows it.
    package let path: FilePath
    /// What its first bytes say.
    package let form: DatabaseFile.Form
    /// In bytes, without what waits in a side file.
    package let size: Int64
    /// When it was last written to, in seconds since 1970.
    package let modificationTime: Int64
    /// Whether a transaction may wait in a side file that a crashed program left, or in a write-ahead log.
    package let needsFolding: Bool
    /// Whether that is a rollback journal alone, for which no passphrase is needed.
    package let hasJournalAlone: Bool

    package init(
        database: AccountDatabase, path: FilePath, form: DatabaseFile.Form, size: Int64,
        modificationTime: Int64,
        needsFolding: Bool = false, hasJournalAlone: Bool = false
    ) {
        self.database = database
        self.path = path
        self.form = form
        self.size = size
        self.modificationTime = modificationTime
        self.needsFolding = needsFolding
        self.hasJournalAlone = hasJournalAlone
    }

    /// Whether a passphrase is needed for it.
    package var asksForPassphrase: Bool { form == .encrypted || form == .unknown }
}
