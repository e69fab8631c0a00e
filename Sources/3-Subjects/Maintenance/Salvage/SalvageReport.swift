public import ValiseAccounts
public import ValiseFailures
public import ValisePages

/// What was saved of an account, and what is lost.
public struct SalvageReport: Sendable, Encodable {
    /// What became of a database.
    public enum State: String, Sendable, Encodable {
        case salvaged
        /// No bytes, or no file.
        case missing
        /// The passphrase does not open it, or the first 16 bytes are damaged, or it is no database.
        case unopened
    }

    /// Row ids between two that were saved.
    public struct Range: Sendable, Encodable, Equatable {
        /// Greater than this; nil where it is not known.
        public let above: Int64?
        /// Up to this; nil where it is not known.
        public let upTo: Int64?

        public init(above: Int64?, upTo: Int64?) {
            self.above = above
            self.upTo = upTo
        }
    }

    public struct Table: Sendable, Encodable {
        public let name: String
        /// Rows that are in the new database.
        public internal(set) var rows = 0
        /// Of these, rows on pages that nothing pointed to any more.
        public internal(set) var rowsFromOrphans = 0
        /// Of these, rows on pages whose HMAC does not hold.
        public internal(set) var rowsFromDamagedPages = 0
        /// Of these, rows that only SQLite itself found.
        public internal(set) var rowsFromSQLite = 0
        /// Of these, rows that were lost and are known all the same.
        public internal(set) var rowsWrittenAnew = 0
        /// Rows whose end is lost: what is left of them is in the lost and found.
        public internal(set) var cutRows = 0
        /// Rows that the table did not take: they are in the lost and found.
        public internal(set) var refusedRows = 0
        /// Rows that cannot be read at all.
        public internal(set) var unreadableRows = 0
        /// Rows that an index has and the table has not; nil where no whole index tells.
        public internal(set) var missingRows: Int?
        /// Where rows may be missing.
        public internal(set) var missingRanges: [Range] = []

        init(name: String) { self.name = name }

        /// Whether rows are lost, or may be.
        public var hasLosses: Bool {
            cutRows > 0 || refusedRows > 0 || unreadableRows > 0 || (missingRows ?? 0) > 0
                || (!missingRanges.isEmpty && missingRows != 0)
        }
    }

    /// What a lost page held.
    public struct Page: Sendable, Encodable, Equatable {
        public let page: UInt32
        /// Such as `table messages`, `index idx_messages`, `schema`, `free`; nil where nothing tells.
        public let content: String?
    }

    /// Messages of one chat that an index still knows.
    public struct Messages: Sendable, Encodable, Equatable {
        /// The chat's name, where it was saved.
        public let chat: String
        public let count: Int
        public let first: String?
        public let last: String?
    }

    /// References from saved rows to lost ones.
    public struct References: Sendable, Encodable, Equatable {
        public let table: String
        public let parent: String
        public let rows: Int
        /// Whether the referring rows were left out.
        public let dropped: Bool
    }

    public struct Database: Sendable, Encodable {
        public let database: AccountDatabase
        public let file: String
        public internal(set) var state = State.salvaged
        /// How it was encrypted; nil where it was not.
        public internal(set) var cipher: String?
        public internal(set) var pages = 0
        /// Pages whose HMAC does not hold.
        public internal(set) var damagedPages = PageSet()
        /// Bytes behind the last whole page.
        public internal(set) var trailingBytes = 0
        /// Pages that the header promises and the file does not have.
        public internal(set) var missingPages = 0
        /// What the lost pages held, as far as it is known.
        public internal(set) var lostPages: [Page] = []
        public internal(set) var tables: [Table] = []
        /// Schema objects that could not be made again.
        public internal(set) var lostObjects: [String] = []
        /// Lost messages by chat, as far as indexes know them.
        public internal(set) var lostMessages: [Messages] = []
        /// The dates of the messages around each gap.
        public internal(set) var messageRanges: [String] = []
        public internal(set) var brokenReferences: [References] = []
        /// Rows in the lost and found, a database beside the new one.
        public internal(set) var lostAndFoundRows = 0
        public internal(set) var lostAndFoundFile: String?
        public internal(set) var notes: [Remark] = []

        init(_ database: AccountDatabase, file: String) {
            self.database = database
            self.file = file
        }

        /// Whether everything was saved.
        public var isComplete: Bool {
            state == .salvaged && lostAndFoundRows == 0 && lostObjects.isEmpty && missingPages == 0
                && !tables.contains(where: \.hasLosses) && !lostPages.contains { $0.content == nil }
        }
    }

    public let source: String
    public let target: String
    /// The program that was using the account; nil where none was.
    public internal(set) var inUse: String?
    public internal(set) var databases: [Database] = []
    public internal(set) var mediaFiles = 0
    public internal(set) var mediaErrors: [String] = []

    /// Whether everything was saved.
    public var isComplete: Bool { mediaErrors.isEmpty && databases.allSatisfy(\.isComplete) }

    init(source: String, target: String) {
        self.source = source
        self.target = target
    }
}
