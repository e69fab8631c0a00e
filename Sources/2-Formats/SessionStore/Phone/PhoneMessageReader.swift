import ValiseDatabase
import ValiseEncoding

/// Makes a message of a row of the phone.
struct PhoneMessageReader {
    let row: PhoneInteractionRow
    let ownID: String?

    /// Kinds of interactions, by their numbers.
    private enum Variant {
        static let incoming: Int64 = 0
        static let outgoing: Int64 = 1
        static let deleted: Int64 = 2
        static let group: Range<Int64> = 1000..<2000
        static let lifetime: Int64 = 2000
        static let captured: Range<Int64> = 3000..<4000
        static let requestAccepted: Int64 = 4000
        static let call: Int64 = 5000
    }

    /// - Parameters:
    ///   - conversation: the one whose messages are read.
    ///   - parts: of this message.
    ///   - problems: of the parts.
    func message(
        in conversation: String, _ parts: PhoneMessageParts.Found, _ problems: ReadingProblems
    ) -> SessionMessage {
        let body = row.body.value.flatMap { $0.isEmpty ? nil : $0 }
        let isSent = row.variant == Variant.outgoing
        return SessionMessage(
            id: String(row.row), row: row.row, conversation: conversation, author: row.author,
            isSent: isSent, content: content(body), body: body,
            sentAt: UTCTime(stored: problems.integer(row.sentAt, "timestampMs")),
            receivedAt: UTCTime(stored: problems.integer(row.receivedAt, "receivedAtTimestampMs")),
            serverTime: nil, identity: identity(problems),
            isUnread: problems.flag(row.wasRead, "wasRead").map { !$0 },
            delivery: isSent ? delivery(problems) : nil, expiry: expiry(problems), quote: parts.quote,
            reactions: parts.reactions, linkPreviews: parts.linkPreviews, attachments: parts.attachments,
            problems: problems.list, document: nil)
    }

    private func content(_ body: String?) -> SessionContent {
        switch row.variant {
        case Variant.incoming, Variant.outgoing: .message
        case Variant.deleted: .deleted
        case Variant.group: .groupChanged(body ?? "")
        case Variant.lifetime: .lifetimeChanged(newLifetime(body))
        case Variant.captured: .captured
        case Variant.requestAccepted: .requestAccepted
        case Variant.call: .call(body ?? "")
        default: .event("variant \(row.variant)")
        }
    }

    /// What is written of a change: JSON, or in old versions a sentence.
    private func newLifetime(_ body: String?) -> Int64? {
        guard let body, let node = JSONNode(parsing: body), node["isEnabled"]?.boolValue != false,
            case .number(let text)? = node["durationSeconds"]
        else { return nil }
        return Double(text).flatMap { Int64(exactly: $0) }
    }

    private func identity(_ problems: ReadingProblems) -> SessionIdentity? {
        if let hash = row.hash.value, !hash.isEmpty { return .serverHash(hash) }
        let number = problems.integer(row.communityMessage, "openGroupServerMessageId")
        return number.map { .communityMessage($0) }
    }

    private func delivery(_ problems: ReadingProblems) -> SessionDelivery? {
        if problems.integer(row.readAt, "recipientReadTimestampMs") != nil { return .read }
        if let reason = row.failure.value, !reason.isEmpty { return .failed(reason) }
        return row.state.value.map { .other($0) }
    }

    private func expiry(_ problems: ReadingProblems) -> SessionExpiry? {
        SessionExpiry(
            lifetime: problems.integer(row.lifetime, "expiresInSeconds"),
            startedAt: problems.integer(row.expiryStart, "expiresStartedAtMs"))
    }
}
