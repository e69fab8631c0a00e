import SystemPackage
package import ValiseAccounts

/// The common and different content of two accounts.
public struct ComparisonReport: Sendable, Equatable, Codable {
    /// One of the two accounts.
    package struct Side: Sendable, Equatable, Codable {
        package let path: String
        package let isArchive: Bool
        /// The program that was using the account; nil where none was.
        package let inUse: String?
        /// In bytes, unpacked.
        package let size: Int64
        /// The users; empty where the chat databases were not opened.
        package internal(set) var users: [ComparedUser] = []
        /// Databases that were read with a journal folded in, on a copy.
        package let folded: [AccountDatabase]
        /// Files that no archive could hold, and that were not compared: links, and names that are no text.
        package let leftOut: BoundedList<String>

        init(_ side: ComparedSide) {
            path = side.reader.name
            isArchive = side.reader.isArchive
            inUse = side.reader.holder
            size = side.size
            folded = side.folded
            leftOut = side.leftOut
        }
    }

    /// By what entries count as the same.
    package enum Identity: String, Sendable, Codable {
        /// The size and the CRC-32 that the directory of an archive gives. Only the databases of archives are read, and
        /// found to be what their directory says.
        case checksum
        /// Every byte was compared.
        case bytes
    }

    package internal(set) var first: Side
    package internal(set) var second: Side
    package let identity: Identity
    /// One for each role.
    package internal(set) var entries: [EntryComparison]
    package internal(set) var databases: [DatabaseComparison]
    /// Nil where the messages were not compared row by row.
    package internal(set) var messages: MessageComparison?
    /// How many connections of the agent are on both sides; nil where that is not known.
    package internal(set) var sharedConnections: Int?
    package internal(set) var evidence: ProgressEvidence
    /// Which of the two states of one account is the later one.
    package internal(set) var later: LaterSide
    /// Which of the two continues the other.
    public internal(set) var relation: AccountRelation
    /// Whether differing media were looked into for content that is the same behind different encryption.
    package internal(set) var mediaLookedInto: Bool
    /// Whether the content is the same. The bytes of a database may differ if all rows are the same.
    public internal(set) var isSame: Bool
    package internal(set) var seconds: Double

    /// Files that could not be read.
    package var unreadable: Int { entries.reduce(0) { $0 + $1.unreadable.count } }
}
