import SystemPackage
public import ValiseAccounts

/// What two accounts have in common, and what not.
public struct ComparisonReport: Sendable, Equatable, Codable {
    /// One of the two accounts.
    public struct Side: Sendable, Equatable, Codable {
        public let path: String
        public let isArchive: Bool
        /// The program that was using the account; nil where none was.
        public let inUse: String?
        /// In bytes, unpacked.
        public let size: Int64
        /// The users; empty where the chat databases were not opened.
        public internal(set) var users: [ComparedUser] = []
        /// Databases that were read with a journal folded in, on a copy.
        public let folded: [AccountDatabase]
        /// Files that no archive could hold, and that were not compared: links, and names that are no text.
        public let leftOut: BoundedList<String>

        init(_ side: ComparedSide) {
            path = side.reader.path.string
            isArchive = side.reader.isArchive
            inUse = side.reader.holder
            size = side.size
            folded = side.folded
            leftOut = side.leftOut
        }
    }

    /// By what entries count as the same.
    public enum Identity: String, Sendable, Codable {
        /// The size and the CRC-32 that the directory of an archive gives. Only the databases of archives are read, and
        /// found to be what their directory says.
        case checksum
        /// Every byte was compared.
        case bytes
    }

    public internal(set) var first: Side
    public internal(set) var second: Side
    public let identity: Identity
    /// One for each role.
    public internal(set) var entries: [EntryComparison]
    public internal(set) var databases: [DatabaseComparison]
    /// Nil where the messages were not compared row by row.
    public internal(set) var messages: MessageComparison?
    /// How many connections of the agent are on both sides; nil where that is not known.
    public internal(set) var sharedConnections: Int?
    public internal(set) var evidence: ProgressEvidence
    /// Which of the two states of one account is the later one.
    public internal(set) var later: LaterSide
    public internal(set) var relation: AccountRelation
    /// Whether differing media were looked into for content that is the same behind different encryption.
    public internal(set) var mediaLookedInto: Bool
    /// Whether no content differs. The bytes of a database may, where all rows are the same.
    public internal(set) var isSame: Bool
    public internal(set) var seconds: Double

    /// Files that could not be read.
    public var unreadable: Int { entries.reduce(0) { $0 + $1.unreadable.count } }
}
