import ValiseEncoding
import ValiseSessionStore

/// Contents of what is no message, with sentences that say what happened.
struct SessionEvents {
    private let authors: SessionAuthors

    init(_ authors: SessionAuthors) { self.authors = authors }

    /// - Returns: the content, and what can always be read.
    func content(of message: SessionMessage) -> (node: JSONNode, text: String) {
        switch message.content {
        case .lifetimeChanged(let seconds):
            event("lifetimeChanged", message, Self.lifetime(seconds))
        case .groupChanged(let stored):
            event("groupChanged", message, SessionGroupChange(stored, authors).text)
        case .captured: event("captured", message, "took a screenshot, or saved a file")
        case .requestAccepted: event("requestAccepted", message, "accepted the message request")
        case .communityInvitation(let name, _):
            event(
                "communityInvitation", message,
                "sent an invitation to \(name.map { "the community \($0)" } ?? "a community")")
        case .event(let kind): event("other", message, kind.isEmpty ? "unknown event" : "event: \(kind)")
        case .call(let outcome): call(outcome, message)
        case .deleted, .message: deleted(message)
        case .unreadable: unreadable(message)
        }
    }

    private static func lifetime(_ seconds: Int64?) -> String {
        guard let seconds else { return "turned off disappearing messages" }
        return "set messages to disappear after \(TimeSpanText.words(seconds))"
    }

    /// One that the model's own program has not: its readable text is shown.
    private func event(_ name: String, _ message: SessionMessage, _ text: String) -> (JSONNode, String) {
        let constructor =
            authors.isDirect ? "rcvDirectEvent" : message.isSent ? "sndGroupEvent" : "rcvGroupEvent"
        let event = JSONNode.object([.init("session.\(name)", .empty)])
        return (node(constructor, [.init(constructor, event)], message), text)
    }

    private func call(_ stored: String, _ message: SessionMessage) -> (JSONNode, String) {
        let call = SessionCall(stored)
        let fields: [JSONNode.Member] = [
            .init("status", .text(call.outcome)), .init("duration", .number("0")),
        ]
        return (node(call.isOutgoing || message.isSent ? "sndCall" : "rcvCall", fields, message), "")
    }

    private func deleted(_ message: SessionMessage) -> (JSONNode, String) {
        let fields: [JSONNode.Member] = [.init("deleteMode", .text("internal"))]
        return (node(message.isSent ? "sndDeleted" : "rcvDeleted", fields, message), "")
    }

    private func unreadable(_ message: SessionMessage) -> (JSONNode, String) {
        let fields: [JSONNode.Member] = [
            .init("direction", .text(message.isSent ? "snd" : "rcv")),
            .init("json", .text(message.document ?? "")),
        ]
        return (node("invalidJSON", fields, message), message.body ?? "")
    }

    private func node(
        _ constructor: String, _ fields: [JSONNode.Member], _ message: SessionMessage
    ) -> JSONNode {
        .object([
            .init(constructor, .object(fields + [.init(SessionRecord.key, SessionRecord.node(of: message))]))
        ])
    }
}
