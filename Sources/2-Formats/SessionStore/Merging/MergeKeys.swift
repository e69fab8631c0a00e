import ValiseEncoding

/// By what a message is found in another store.
struct MergeKeys {
    /// By what the network knows it; nil for what was never sent, and for old rows.
    let identity: MergeDigest?
    /// By its author, its kind, when it was sent, and its text.
    let content: MergeDigest

    /// - Parameters:
    ///   - message: of a store.
    ///   - ownID: of the account.
    init(_ message: SessionMessage, ownID: String?) {
        let kind = Self.kind(of: message.content)
        identity = message.identity.map { identity in
            // Of one message that the network has, a device may make a message and an event.
            switch identity {
            case .serverHash(let hash): MergeDigest(["hash", hash, kind])
            case .communityMessage(let number): MergeDigest(["number", String(number), kind])
            }
        }
        content = MergeDigest(
            ["content"] + Self.moment(of: message, ownID: ownID) + [Self.text(of: message)])
    }

    /// What two versions of a message that has no identity share.
    static func moment(of message: SessionMessage, ownID: String?) -> [String] {
        let author = message.isSent ? ownID ?? "" : message.author ?? message.conversation
        let time = message.sentAt ?? message.time
        return [author, kind(of: message.content), time.map { String($0.milliseconds) } ?? ""]
    }

    /// The same for a message, for what is left of it, and for what cannot be read of it.
    private static func kind(of content: SessionContent) -> String {
        switch content {
        case .message, .deleted, .communityInvitation, .unreadable: "message"
        case .lifetimeChanged: "lifetime"
        case .groupChanged: "group"
        case .call: "call"
        case .captured: "captured"
        case .requestAccepted: "accepted"
        case .event: "event"
        }
    }

    private static func text(of message: SessionMessage) -> String {
        switch message.content {
        case .message, .deleted, .communityInvitation, .unreadable: message.body ?? ""
        case .lifetimeChanged(let seconds): seconds.map { String($0) } ?? ""
        case .groupChanged(let stored), .call(let stored), .event(let stored): stored
        case .captured, .requestAccepted: ""
        }
    }
}

extension SessionContent {
    /// Whether it is a message, or was one.
    var isMessage: Bool {
        switch self {
        case .message, .deleted, .communityInvitation, .unreadable: true
        default: false
        }
    }
}

extension UTCTime {
    /// Since 1970, as Session stores it.
    var milliseconds: Int64 { seconds &* 1000 &+ Int64(nanoseconds / 1_000_000) }
}
