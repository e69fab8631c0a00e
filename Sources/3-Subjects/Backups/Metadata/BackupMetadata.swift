package import ValiseAccounts
package import ValisePages
import ValiseRepository
package import ValiseSessionStore
package import ValiseStorage

/// What a snapshot says of the account that it is of: `.valise/backup.json` in its tree
/// (Documentation/formats/backup-metadata.md).
///
/// It is in the tree and not in the snapshot's own record, because restic drops fields there that it does not know.
package struct BackupMetadata: Sendable, Equatable {
    /// How databases are kept.
    package enum Mode: String, Sendable, CaseIterable {
        /// Decrypted pages with zeros in the bytes that SQLCipher reserves.
        case open
        /// Encrypted, as the file was.
        case sealed
        /// Unencrypted, as the file was.
        case unencrypted
    }

    /// What it says of a database.
    package struct Database: Sendable, Equatable {
        package let database: AccountDatabase
        package var mode: Mode
        /// In bytes.
        package var pageSize: Int
        /// Of each blob but the last one.
        package var pagesPerGroup: Int
        /// Whole pages.
        package var pageCount: UInt32
        /// 16 bytes; nil for an unencrypted database.
        package var salt: [UInt8]?
        /// How it was encrypted; nil where that is not known, or it was not.
        package var cipher: CipherSettings?
        /// Pages that were damaged already when it was backed up.
        package var damaged = PageSet()

        package init(
            _ database: AccountDatabase, _ mode: Mode, pageSize: Int, pagesPerGroup: Int, pageCount: UInt32
        ) {
            self.database = database
            self.mode = mode
            self.pageSize = pageSize
            self.pagesPerGroup = pagesPerGroup
            self.pageCount = pageCount
        }
    }

    /// An entry that is not in the snapshot, or not as it should be.
    package struct Problem: Sendable, Equatable {
        package let name: String
        package let reason: String

        package init(_ name: String, _ reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    /// What the writer knew of the repository.
    package struct KnownSnapshots: Sendable, Equatable {
        package let count: Int
        /// The SHA-256 of their identifiers, sorted.
        package let digest: ContentID

        package init(count: Int, digest: ContentID) {
            self.count = count
            self.digest = digest
        }

        /// - Throws: `RepositoryError` where the library fails.
        package init(_ ids: some Sequence<ContentID>) throws {
            let sorted = Set(ids).sorted()
            count = sorted.count
            digest = try ContentID(hashing: sorted.flatMap(\.bytes))
        }
    }

    /// How the databases were asked to be kept.
    package var mode: Mode
    /// What the names of the account's databases begin with; in the tree they have the names of archives.
    package var prefix: String
    /// Whether a program was using the account.
    package var isInUse = false
    package var databases: [Database] = []
    /// What is known of a store of Session; nil for an account.
    package var session: SessionFacts?
    /// The newest snapshot of the same machine and account before this one.
    package var previous: ContentID?
    /// All snapshots that the repository had.
    package var known: KnownSnapshots?
    package var program = ""
    package var problems: [Problem] = []
    /// Files that are no part of a backup, such as links.
    package var leftOut: [String] = []

    package init(mode: Mode, prefix: String) {
        self.mode = mode
        self.prefix = prefix
    }

    /// Of the format.
    package static let version: Int64 = 1
    /// The folder beside the databases.
    package static let folder = ".valise"
    /// The file there.
    package static let file = "backup.json"

    /// What it says of a database; nil for none.
    package subscript(_ database: AccountDatabase) -> Database? {
        databases.first { $0.database == database }
    }
}
