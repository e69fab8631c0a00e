public import ValiseAccounts
public import ValiseChatSchema
public import ValiseMedia

/// What an account is and what state it is in. Its JSON is this type's own.
public struct AccountStatus: Sendable, Equatable, Codable {
    public let directory: String
    public let prefix: String
    public let style: AccountLocation.Style
    public let chat: DatabaseStatus
    public let agent: DatabaseStatus
    public let media: FolderStatus
    /// How the media and the chat database agree, by sizes; nil where the database was not opened.
    public let mediaSummary: MediaSummary?
    public let wallpapers: FolderStatus
    /// Bytes that may still be written where the account lies.
    public let freeSpace: Int64
    /// What an interrupted operation left; nil for nothing.
    public let interrupted: Interrupted?
    /// Bytes of the databases kept from before the last migration; nil for none.
    public let migrationBackup: Int64?
    /// Who uses the account at this moment; nil for nobody.
    public let inUse: String?
    /// What its mark says, where it was imported as an archive: to be read, not changed or run; nil for others.
    public let readOnly: ReadOnlyMark?
    /// What its mark says, where it was moved to another machine; nil for others. Its databases have other names then.
    public let retired: RetiredMark?

    /// What an interrupted operation left.
    public struct Interrupted: Sendable, Equatable, Codable {
        public let state: AccountRecovery.State
        public let operation: String?
        /// One sentence for the user.
        public let meaning: String

        private enum CodingKeys: String, CodingKey {
            case state, meaning
            case operation = "act"
        }
    }

    /// A folder of media.
    public struct FolderStatus: Sendable, Equatable, Codable {
        public let path: String
        public let exists: Bool
        public let files: Int
        /// In bytes.
        public let size: Int64
    }

    /// Both databases by name.
    public var databases: [(AccountDatabase, DatabaseStatus)] { [(.chat, chat), (.agent, agent)] }

    /// Whether something waits to be done: a migration, a confirmation, a recovery.
    public var isWorkDue: Bool {
        interrupted != nil || migrationBackup != nil
            || databases.contains { _, status in
                status.journal != nil || status.writeAheadLog != nil
                    || !(status.schema?.pending.isEmpty ?? true) && readOnly == nil
            }
    }
}

/// One database of an account.
public struct DatabaseStatus: Sendable, Equatable, Codable {
    /// What came of the passphrase.
    public enum Access: String, Sendable, Codable {
        /// None was given, and the file asks for one.
        case noPassphrase
        /// The file is not encrypted.
        case notNeeded
        case opened
        /// The passphrase is wrong, or the first page is damaged.
        case refused
        /// There is no database at the path.
        case noDatabase
        /// It could not be opened for another reason, told in ``DatabaseStatus/problem``.
        case failed
    }

    public let file: String
    public let form: DatabaseFile.Form
    /// In bytes.
    public let size: Int64
    /// The size of a journal that a crashed program left; nil for none.
    public let journal: Int64?
    /// The size of a write-ahead log; nil for none.
    public let writeAheadLog: Int64?
    /// Copies that the official programs left beside it.
    public let copies: [String]
    public let access: Access
    /// Why it could not be opened.
    public let problem: String?
    /// Nil where it is not encrypted or not opened.
    public let cipher: CipherParameters?
    /// Nil where it is not opened.
    public let schema: SchemaStatus?
}
