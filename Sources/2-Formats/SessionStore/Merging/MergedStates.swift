import ValiseEncoding

/// The order in which one of several contents of a message is taken.
struct MergedContent: Comparable {
    private let rank: Int
    private let word: String
    private let stored: String

    init(_ content: SessionContent) {
        (rank, word, stored) =
            switch content {
            case .unreadable: (0, "unreadable", "")
            case .event(let kind): (1, "event", kind)
            case .captured: (2, "captured", "")
            case .requestAccepted: (2, "requestAccepted", "")
            case .call(let outcome): (2, "call", outcome)
            case .groupChanged(let stored): (2, "groupChanged", stored)
            case .lifetimeChanged(let seconds): (2, "lifetimeChanged", seconds.map { String($0) } ?? "")
            case .message: (3, "message", "")
            case .communityInvitation(let name, let address):
                (4, "communityInvitation", [address, name].compactMap { $0 }.joined(separator: " "))
            case .deleted: (5, "deleted", "")
            }
    }

    /// - Parameter isWhole: whether what is stored can be compared, too.
    func text(isWhole: Bool) -> String {
        let isSame = isWhole || word == "lifetimeChanged" || word == "communityInvitation"
        return stored.isEmpty || !isSame ? word : "\(word): \(stored)"
    }

    static func < (left: MergedContent, right: MergedContent) -> Bool {
        (left.rank, left.word, left.stored) < (right.rank, right.word, right.stored)
    }
}

/// The order of what becomes of a message that was sent.
struct MergedDelivery: Comparable {
    private let rank: Int
    /// For people.
    let text: String

    init(_ delivery: SessionDelivery) {
        (rank, text) =
            switch delivery {
            case .other(let word): (0, word)
            case .sending: (1, "sending")
            case .failed(let reason): (2, reason.map { "failed: \($0)" } ?? "failed")
            case .sent: (3, "sent")
            case .read: (4, "read")
            }
    }

    /// Whether all programs mean the same by it.
    var isKnown: Bool { rank > 0 }

    static func < (left: MergedDelivery, right: MergedDelivery) -> Bool {
        (left.rank, left.text) < (right.rank, right.text)
    }
}
