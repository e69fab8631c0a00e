public import ValiseAccounts
import ValiseChatSchema
import ValiseEncoding
package import ValiseFailures
package import ValisePages

/// What was recovered from an account, and what is lost.
public struct SalvageReport: Sendable, Encodable {
    /// The result for a database.
    public enum State: String, Sendable, Encodable {
        /// Its rows were recovered.
        case salvaged
        /// No bytes, or no file.
        case missing
        /// The passphrase does not open it, or its salt is damaged, or it is not a database.
        case unopened
    }

    /// Row ids between two that were saved.
    package struct Range: Sendable, Encodable, Equatable {
        /// Greater than this; nil where it is not known.
        package let above: Int64?
        /// Up to this; nil where it is not known.
        package let upTo: Int64?

        package init(above: Int64?, upTo: Int64?) {
            self.above = above
            self.upTo = upTo
        }
    }

    package struct Table: Sendable, Encodable {
        package let name: String
        /// Rows that are in the new database.
        package internal(set) var rows = 0
        /// Of these, rows on pages that nothing pointed to any more.
        package internal(set) var rowsFromOrphans = 0
        /// Of these, rows on pages whose HMAC does not hold.
        package internal(set) var rowsFromDamagedPages = 0
        /// Of these, rows that only SQLite itself found.
        package internal(set) var rowsFromSQLite = 0
        /// Of these, rows that were lost and are known all the same.
        package internal(set) var rowsWrittenAnew = 0
        /// Rows whose end is lost: what is left of them is in the lost and found.
        package internal(set) var cutRows = 0
        /// Rows that the table did not take: they are in the lost and found.
        package internal(set) var refusedRows = 0
        /// Rows that cannot be read at all.
        package internal(set) var unreadableRows = 0
        /// Rows that an index has and the table has not; nil where no whole index tells.
        package internal(set) var missingRows: Int?
        /// Where rows may be missing.
        package internal(set) var missingRanges: [Range] = []

        /// The same, with adjacent ones joined: each page has its own.
        package var joinedMissingRanges: [Range] {
            missingRanges.reduce(into: []) { joined, range in
                if let last = joined.last, let end = last.upTo, range.above == end,
                    last.above != nil || range.upTo != nil
                {
                    joined[joined.count - 1] = Range(above: last.above, upTo: range.upTo)
                } else {
                    joined.append(range)
                }
            }
        }

        init(name: String) { self.name = name }

        private enum CodingKeys: String, CodingKey {
            case name, rows, rowsFromOrphans, rowsFromDamagedPages, rowsWrittenAnew, cutRows, refusedRows
            case unreadableRows, missingRows, missingRanges
            case rowsFromSQLite = "rowsFromSqlite"
        }

        /// Whether rows are lost, or may be.
        package var hasLosses: Bool {
            cutRows > 0 || refusedRows > 0 || unreadableRows > 0 || (missingRows ?? 0) > 0
                || (!missingRanges.isEmpty && missingRows != 0)
        }
    }

    /// What a lost page held.
    package struct Page: Sendable, Encodable, Equatable {
        package let page: UInt32
        /// Such as `table messages`, `index idx_messages`, `schema`, `free`; nil where nothing tells.
        package let content: String?
    }

    /// Messages of one chat that an index still knows.
    package struct Messages: Sendable, Encodable, Equatable {
        /// The chat's name, where it was saved.
        package let chat: String
        package let count: Int
        package let first: String?
        package let last: String?
    }

    /// References from saved rows to lost ones.
    package struct References: Sendable, Encodable, Equatable {
        package let table: String
        package let parent: String
        package let rows: Int
        /// Whether the referring rows were left out.
        package let dropped: Bool
    }

    /// What was recovered from one database.
    public struct Database: Sendable, Encodable {
        /// Which of the two databases.
        public let database: AccountDatabase
        package let file: String
        /// The result.
        public internal(set) var state = State.salvaged
        /// How it was encrypted; nil where it was not.
        package internal(set) var cipher: String?
        package internal(set) var pages = 0
        /// Pages whose HMAC does not hold.
        package internal(set) var damagedPages = PageSet()
        /// Bytes behind the last whole page.
        package internal(set) var trailingBytes = 0
        /// Pages that the header promises and the file does not have.
        package internal(set) var missingPages = 0
        /// What the lost pages held, as far as it is known.
        package internal(set) var lostPages: [Page] = []
        package internal(set) var tables: [Table] = []
        /// Schema objects that could not be made again.
        package internal(set) var lostObjects: [String] = []
        /// Lost messages by chat, as far as indexes know them.
        package internal(set) var lostMessages: [Messages] = []
        /// The dates of the messages around each gap.
        package internal(set) var messageRanges: [String] = []
        package internal(set) var brokenReferences: [References] = []
        /// Rows in the lost and found, a database beside the new one.
        package internal(set) var lostAndFoundRows = 0
        package internal(set) var lostAndFoundFile: String?
        package internal(set) var notes: [Remark] = []

        init(_ database: AccountDatabase, file: String) {
            self.database = database
            self.file = file
        }

        /// How many messages are lost, and of how many of them an index tells the chat; empty where none is known to be lost.
        package var messageLoss: [String] {
            guard let messages = tables.first(where: { $0.name == MessageColumn.table.rawValue }) else {
                return []
            }
            let placed = lostMessages.reduce(0) { $0 + $1.count }
            let lost = max(placed, messages.missingRows ?? 0)
            guard lost > 0 else { return [] }
            let all = Count.text(messages.rows + lost, "message")
            let share = messages.rows == 0 && lost > 1 ? "all \(all)" : "\(lost) of \(all)"
            return ["lost: \(share)"]
                + (placed > 0 && placed < lost ? ["of these, \(placed) can be placed:"] : [])
        }

        /// Whether everything was recovered.
        public var isComplete: Bool {
            state == .salvaged && lostAndFoundRows == 0 && lostObjects.isEmpty && missingPages == 0
                && !tables.contains(where: \.hasLosses) && !lostPages.contains { $0.content == nil }
        }
    }

    package let source: String
    package let target: String
    /// The program that was using the account; nil where none was.
    package internal(set) var inUse: String?
    /// Both databases.
    public internal(set) var databases: [Database] = []
    /// How many files of media were copied.
    public internal(set) var mediaFiles = 0
    /// Files that could not be copied, a sentence each.
    public internal(set) var mediaErrors: [String] = []
    /// The most bytes that are read and written: of databases, their copies and the media.
    package internal(set) var bytesNeeded: Int64 = 0

    private enum CodingKeys: CodingKey { case source, target, inUse, databases, mediaFiles, mediaErrors }

    /// Rows that refer to lost rows and are in the new account.
    package var danglingRows: Int {
        databases.flatMap(\.brokenReferences).reduce(0) { $0 + ($1.dropped ? 0 : $1.rows) }
    }

    /// Whether the keys of all connections are lost: no program can use the new account.
    package var isWithoutConnections: Bool {
        databases.contains { $0.database == .agent && $0.state != .salvaged }
    }

    /// Whether a database was not opened, for which a damaged salt may be the reason.
    package var isUnopened: Bool { databases.contains { $0.state == .unopened } }

    /// Whether everything was recovered.
    package var isComplete: Bool { mediaErrors.isEmpty && databases.allSatisfy(\.isComplete) }

    init(source: String, target: String) {
        self.source = source
        self.target = target
    }
}
