import SystemPackage
package import ValiseAccounts

/// What an import would do.
package struct ImportPlan: Sendable, Equatable, Encodable {
    /// One database.
    package struct Database: Sendable, Equatable, Encodable {
        package let database: AccountDatabase
        /// In bytes.
        package let size: Int64
        /// The bytes of the one that it replaces; nil where none is there.
        package let replacedSize: Int64?
    }

    /// Some files.
    package struct Tally: Sendable, Equatable, Encodable {
        package internal(set) var files = 0
        /// In bytes.
        package internal(set) var size: Int64 = 0

        mutating func add(_ size: Int64) {
            files += 1
            self.size += size
        }
    }

    /// A folder of media.
    package struct Folder: Sendable, Equatable, Encodable {
        /// Files that are not there yet.
        package internal(set) var new = Tally()
        /// Files that take the place of one with another content.
        package internal(set) var replaced = Tally()
        /// Their names.
        package internal(set) var replacedNames: [String] = []
        /// Files that are there already, with the same content.
        package internal(set) var identical = Tally()
        /// Files that are there, are not in the archive, and stay.
        package internal(set) var staying = Tally()
    }

    /// The archive.
    package internal(set) var archive: String
    /// The account's folder.
    package internal(set) var directory: String
    /// What the names of its databases start with.
    package internal(set) var prefix: String
    /// Whether the folder would be made.
    package internal(set) var makesDirectory = false
    /// Whether an existing account would be replaced.
    package internal(set) var replacesAccount = false
    package internal(set) var databases: [Database] = []
    package internal(set) var media = Folder()
    package internal(set) var wallpapers = Folder()
    /// Entries that are no part of an account and would be left in the archive.
    package internal(set) var ignored: [String] = []
    /// Entries that would not be imported, and why.
    package internal(set) var archiveErrors: [ArchiveError] = []
    /// The number of bytes needed.
    package internal(set) var spaceNeeded: Int64 = 0
    /// The number of bytes available.
    package internal(set) var freeSpace: Int64 = 0
    /// Whether the passphrase opened both databases; false where none was given.
    package internal(set) var databasesOpened = false
    /// What the import would lead to.
    package internal(set) var outlook = ImportOutlook.notKnown
    /// How old the archive's account is against the one in place; nil where none is.
    package internal(set) var age: ImportAge?
    /// The folder in which the replaced account would be kept; nil for none.
    package internal(set) var keptPrevious: String?
    /// Whether the account would be only to be read.
    package internal(set) var isReadOnly = false
    /// What would be done first about an interrupted operation, in one sentence; nil for nothing. What this plan says is
    /// of the account as it is before that.
    package internal(set) var interrupted: String?

    private enum CodingKeys: String, CodingKey {
        case archive, directory, prefix, makesDirectory, replacesAccount, databases, media, wallpapers
        case ignored, archiveErrors, spaceNeeded, freeSpace, databasesOpened, outlook, age, isReadOnly
        case interrupted
        case keptPrevious = "keptFormer"
    }

    /// Whether there is enough free space.
    package var fits: Bool { spaceNeeded <= freeSpace }

    init(archive: String, _ location: AccountLocation) {
        self.archive = archive
        directory = location.directory.string
        prefix = location.prefix
    }
}
