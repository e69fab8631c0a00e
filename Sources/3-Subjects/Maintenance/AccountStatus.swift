package import ValiseAccounts
package import ValiseChatSchema
package import ValiseMedia

/// The status of an account. Its JSON is defined by this type.
public struct AccountStatus: Sendable, Equatable, Codable {
    /// The account's folder.
    package let directory: String
    /// What the names of its databases start with.
    package let prefix: String
    package let style: AccountLocation.Style
    package let chat: DatabaseStatus
    package let agent: DatabaseStatus
    package let media: FolderStatus
    /// How the media and the chat database agree, by sizes; nil where the database was not opened.
    package let mediaSummary: MediaSummary?
    package let wallpapers: FolderStatus
    /// Free space where the account is, in bytes.
    public let freeSpace: Int64
    /// What an interrupted operation left; nil for nothing.
    package let interrupted: Interrupted?
    /// Bytes of the databases kept from before the last migration; nil for none.
    package let migrationBackup: Int64?
    /// The program that is using the account; nil for none.
    public let inUse: String?
    /// What its mark says, where it was imported as an archive: to be read, not changed or run; nil for others.
    package let readOnly: ReadOnlyMark?
    /// What its mark says, where it was moved to another machine; nil for others. Its databases have other names then.
    package let retired: RetiredMark?
    /// The ID of its move that is under way; nil for none.
    package var move: String?

    /// What an interrupted operation left.
    package struct Interrupted: Sendable, Equatable, Codable {
        package let state: AccountRecovery.State
        package let operation: String?
        /// One sentence for the user.
        package let meaning: String

        private enum CodingKeys: String, CodingKey {
            case state, meaning
            case operation = "act"
        }
    }

    /// A folder of media.
    package struct FolderStatus: Sendable, Equatable, Codable {
        package let path: String
        package let exists: Bool
        package let files: Int
        /// In bytes.
        package let size: Int64
    }

    /// Both databases by name.
    package var databases: [(AccountDatabase, DatabaseStatus)] { [(.chat, chat), (.agent, agent)] }

    /// Whether something is pending: a migration, a confirmation, a recovery.
    public var isWorkPending: Bool {
        interrupted != nil || migrationBackup != nil
            || databases.contains { _, status in
                status.journal != nil || status.writeAheadLog != nil
                    || !(status.schema?.pending.isEmpty ?? true) && readOnly == nil
            }
    }
}

/// One database of an account.
package struct DatabaseStatus: Sendable, Equatable, Codable {
    /// What came of the passphrase.
    package enum Access: String, Sendable, Codable {
        /// None was given, and the file asks for one.
        case noPassphrase
        /// The file is not encrypted.
        case notNeeded
        case opened
        /// The passphrase is wrong, or the first page is damaged.
        case refused
        /// There is no database at the path.
        case noDatabase
        /// It could not be opened for another reason, told in `DatabaseStatus.problem`.
        case failed
    }

    package let file: String
    package let form: DatabaseFile.Form
    /// In bytes.
    package let size: Int64
    /// The size of a journal that a crashed program left; nil for none.
    package let journal: Int64?
    /// The size of a write-ahead log; nil for none.
    package let writeAheadLog: Int64?
    /// Previous copies beside it, which the official programs or Valise left.
    package let copies: [String]
    package let access: Access
    /// Why it could not be opened, or what could not be read.
    package internal(set) var problem: String?
    /// Whether it is damaged, as far as opening it shows.
    package internal(set) var isDamaged: Bool
    /// Nil where it is not encrypted or not opened.
    package let cipher: CipherParameters?
    /// Nil where it is not opened.
    package let schema: SchemaStatus?

    /// Both databases have one passphrase: one that opens the other database is not wrong.
    mutating func noteLostPage(beside other: DatabaseStatus) {
        guard access == .refused, other.access == .opened || other.access == .notNeeded else { return }
        isDamaged = true
        problem =
            other.access == .opened
            ? "does not open with the passphrase of the other database: its first page or its salt is damaged, "
                + "or it has another passphrase"
            : "does not open with the passphrase, and the other database is not encrypted"
    }

    private enum CodingKeys: String, CodingKey {
        case file, form, size, journal, writeAheadLog, copies, access, problem, cipher, schema
        case isDamaged = "damaged"
    }
}
