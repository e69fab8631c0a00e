import ValiseEncoding

/// What an archive leaves out because it was asked to. Files that could not be taken are errors, and not here.
package struct PartialArchive: Sendable, Equatable, Encodable {
    /// Which part of the account it holds.
    package enum Kind: String, Sendable, Encodable {
        case onlyDatabases, withoutMedia, selectedMedia
    }

    package let kind: Kind
    /// The chats whose media are in it; empty for all.
    package let chats: [String]
    /// Media of messages from this time on are in it, such as `2026-01-31T00:00:00Z`; nil for all.
    package let since: String?
    /// How many files of the account are not in it.
    package private(set) var leftOutFiles = 0
    /// In bytes.
    package private(set) var leftOutSize: Int64 = 0
    /// How many of these no message refers to; nil where the database was not asked.
    package private(set) var unreferencedFiles: Int?
    /// All of them, as a whole archive would call them: what is missing is to be known by name.
    package private(set) var leftOut: [String] = []

    /// - Returns: nil for a whole archive.
    init?(_ scope: ArchiveScope) {
        var (chats, since): ([String], Int64?) = ([], nil)
        switch scope {
        case .complete: return nil
        case .onlyDatabases: kind = .onlyDatabases
        case .withoutMedia: kind = .withoutMedia
        case .media(let givenChats, let givenTime):
            kind = .selectedMedia
            (chats, since) = (givenChats, givenTime)
            unreferencedFiles = 0
        }
        self.chats = chats
        self.since = since.map { UTCTime(seconds: $0).isoText }
    }

    /// Counts a file that is left out.
    mutating func leaveOut(_ name: String, size: Int64, isUnreferenced: Bool = false) {
        leftOutFiles += 1
        leftOutSize += size
        if isUnreferenced { unreferencedFiles = (unreferencedFiles ?? 0) + 1 }
        leftOut.append(name)
    }
}
