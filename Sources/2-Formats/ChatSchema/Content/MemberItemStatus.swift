/// The status of an item for one member of a group, as the column `group_snd_item_status` has it.
package enum MemberItemStatus: Sendable, Hashable {
    case new
    /// Passed on by another member, since there is no connection yet.
    case forwarded
    /// The member did not receive for long.
    case inactive
    case sent
    case rcvd(ItemStatus.Receipt)
    case error(DeliveryError)
    case warning(DeliveryError)
    /// Anything else, complete.
    case invalid(String)

    /// Never fails: a text of no known form is invalid. So are those of old rows that lack the word of progress; what
    /// they say is in ``isSent`` and ``receipt``.
    package init(parsing text: String) {
        switch text {
        case "snd_forwarded": self = .forwarded
        case "snd_inactive": self = .inactive
        case "snd_sent", "snd_rcvd ok", "snd_rcvd badMsgHash": self = .invalid(text)
        default: self = Self.member(ItemStatus(parsing: text)) ?? .invalid(text)
        }
    }

    /// What a status of an item is for one member.
    private static func member(_ status: ItemStatus) -> Self? {
        switch status {
        case .sndNew: .new
        case .sndSent(.complete): .sent
        case .sndRcvd(let receipt, .complete): .rcvd(receipt)
        case .sndErrorAuth: .error(.auth)
        case .sndError(let error): .error(error)
        case .sndWarning(let error): .warning(error)
        default: nil
        }
    }
}

extension MemberItemStatus {
    /// Whether a relay has it, or the member; also by a text of an old row.
    package var isSent: Bool {
        switch self {
        case .sent, .rcvd: true
        case .invalid(let text): text == "snd_sent" || receipt != nil
        default: false
        }
    }

    /// What the member's program reported; also by a text of an old row.
    package var receipt: ItemStatus.Receipt? {
        switch self {
        case .rcvd(let receipt): return receipt
        case .invalid(let text):
            guard case .sndRcvd(let receipt, .complete) = ItemStatus(parsing: text) else { return nil }
            return receipt
        default: return nil
        }
    }
}
