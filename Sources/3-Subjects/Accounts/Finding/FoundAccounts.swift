/// The accounts that were found.
public struct FoundAccounts: Sendable, Equatable {
    /// Those in folders, and those in backups of phones.
    public internal(set) var accounts: [FoundAccount] = []
    /// Backups of phones that have no account in them.
    package internal(set) var otherBackups: [String] = []
    /// The first folders that could not be read.
    public private(set) var unreadable: [String] = []
    package private(set) var unreadableCount = 0
    /// Whether the search went everywhere, and did not end at the most entries that it looks at.
    public internal(set) var isComplete = true

    private static let mostListed = 20

    package init() {}

    /// Those that can be worked on where they are.
    package func usable(prefix: String?) -> [FoundAccount] {
        accounts.filter { $0.backup == nil && (prefix ?? $0.location.prefix) == $0.location.prefix }
    }

    mutating func note(unreadable folder: String) {
        unreadableCount += 1
        if unreadable.count < Self.mostListed { unreadable.append(folder) }
    }
}

extension FoundAccounts: Encodable {
    private enum CodingKeys: String, CodingKey {
        case accounts, otherBackups, unreadable, unreadableCount
        case isComplete = "complete"
    }
}
