/// How two accounts are related, judging by their rows.
public enum AccountRelation: String, Sendable, Codable {
    /// The same account at the same moment: no row differs.
    case identical
    /// The same messages, unchanged; other rows differ.
    case sameMessages
    /// The same messages, some of them changed.
    case changedMessages
    /// The second is the later state of the first: messages were added, deleted, or both.
    case secondContinues
    /// The first account is a later state of the second.
    case firstContinues
    /// The second has all messages of the first, and others. Nothing tells whether those were added there, or deleted in
    /// the first.
    case secondHasMore
    /// Only the first account has messages of its own.
    case firstHasMore
    /// Both have messages that the other lacks.
    case diverged
    /// Neither user, connection nor message is the same.
    case differentAccounts
    /// Too little could be compared to tell.
    case unknown

    /// - Parameters:
    ///   - isSame: whether neither database differs.
    ///   - isRelated: whether anything shows that both are of one account.
    ///   - later: which side went on, as far as anything but the messages tells.
    init(_ messages: MessageComparison?, isSame: Bool, isRelated: Bool, later: LaterSide) {
        if isSame {
            self = .identical
            return
        }
        guard let messages else {
            self = .unknown
            return
        }
        guard isRelated else {
            self = .differentAccounts
            return
        }
        switch (messages.first.only, messages.second.only) {
        case (0, 0): self = messages.isSame ? .sameMessages : .changedMessages
        case (0, _): self = Self.ofOneWithMore(later, otherwise: .secondHasMore)
        case (_, 0): self = Self.ofOneWithMore(later, otherwise: .firstHasMore)
        default: self = Self.ofBothWithMore(messages, later)
        }
    }

    /// One side has all messages of the other, and more: added there, or deleted in the other.
    private static func ofOneWithMore(_ later: LaterSide, otherwise unknown: Self) -> Self {
        switch later {
        case .first: .firstContinues
        case .second: .secondContinues
        case .both: .diverged
        case .unknown: unknown
        }
    }

    /// Each side has messages that the other lacks: one is the later only where all that it has alone came after all
    /// that the other has, and what the other has alone was deleted in it.
    private static func ofBothWithMore(_ messages: MessageComparison, _ later: LaterSide) -> Self {
        let (first, second) = (messages.first, messages.second)
        let firstIsNewer = first.only == messages.newerInFirst
        let secondIsNewer = second.only == messages.newerInSecond
        switch (messages.newerInFirst > 0, messages.newerInSecond > 0, later) {
        case (false, true, .second), (false, true, .unknown):
            return secondIsNewer ? .secondContinues : .diverged
        case (true, false, .first), (true, false, .unknown): return firstIsNewer ? .firstContinues : .diverged
        case (true, true, .second) where secondIsNewer && messages.reusedIDs == 0:
            return first.isBefore(second) ? .secondContinues : .diverged
        case (true, true, .first) where firstIsNewer && messages.reusedIDs == 0:
            return second.isBefore(first) ? .firstContinues : .diverged
        default: return .diverged
        }
    }
}

extension MessageComparison.Side {
    /// Whether all messages that only this side has came before all that only the other one has, by their ids.
    fileprivate func isBefore(_ other: Self) -> Bool {
        guard let highestOnly, let lowest = other.lowestOnly else { return false }
        return highestOnly < lowest
    }
}
