import ValiseAccounts

/// A name, and what lies under it on both sides.
struct EntryMatch: Sendable {
    /// What the comparison of two entries came to.
    enum Outcome: Sendable, Equatable {
        case notCompared
        case onlyInFirst
        case onlyInSecond
        case identical
        case otherSize
        case otherContent
        case sameContent(SameContent)
        case unreadable(inFirst: Bool, String)
    }

    let first: AccountEntry?
    let second: AccountEntry?
    var outcome = Outcome.notCompared

    var name: String { first?.name ?? second?.name ?? "" }
    var role: EntryRole { first?.role ?? second?.role ?? .other }

    init(_ first: AccountEntry?, _ second: AccountEntry?) {
        self.first = first
        self.second = second
        switch (first, second) {
        case (_?, nil): outcome = .onlyInFirst
        case (nil, _?): outcome = .onlyInSecond
        case (let first?, let second?) where first.size != second.size: outcome = .otherSize
        default: break
        }
    }

    /// Brings the entries of both sides together by their names.
    ///
    /// - Parameters:
    ///   - first: in the order of ``AccountEntry/precedes(_:_:)``.
    ///   - second: likewise.
    static func all(_ first: [AccountEntry], _ second: [AccountEntry]) -> [EntryMatch] {
        var matches: [EntryMatch] = []
        var (here, there) = (first[...], second[...])
        while let left = here.first, let right = there.first {
            let isBefore = AccountEntry.precedes(left, right)
            let isBehind = AccountEntry.precedes(right, left)
            if !isBehind { here.removeFirst() }
            if !isBefore { there.removeFirst() }
            matches.append(EntryMatch(isBehind ? nil : left, isBefore ? nil : right))
        }
        return matches + here.map { EntryMatch($0, nil) } + there.map { EntryMatch(nil, $0) }
    }
}

/// How two files that differ in their bytes hold the same content.
package enum SameContent: String, Sendable, Codable {
    /// Both are encrypted, under different keys.
    case otherKey
    case encryptedInFirst
    case encryptedInSecond
}
