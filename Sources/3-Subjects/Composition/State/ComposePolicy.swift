import ValiseMediaRules

/// A chat by its kind and row, as commands of the API name it.
public struct ComposeChat: Sendable, Hashable {
    /// With whom one talks.
    public enum Kind: String, Sendable, CaseIterable {
        /// One contact.
        case contact
        /// A group.
        case group
        /// Oneself.
        case notes
    }

    /// A talk with the moderators of a group.
    public enum Scope: Sendable, Hashable {
        /// The user's own.
        case own
        /// That of a member, by its row.
        case member(Int64)
    }

    /// With whom.
    public let kind: Kind
    /// The row in the database.
    public let id: Int64
    /// Nil outside of such a talk.
    public let scope: Scope?

    /// A chat by its row.
    public init(_ kind: Kind, id: Int64, scope: Scope? = nil) {
        self.kind = kind
        self.id = id
        self.scope = scope
    }

    /// As commands of the API have it, such as `#3(_support)`.
    public var reference: String {
        let mark =
            switch kind {
            case .contact: "@"
            case .group: "#"
            case .notes: "*"
            }
        return switch scope {
        case nil: "\(mark)\(id)"
        case .own: "\(mark)\(id)(_support)"
        case .member(let member): "\(mark)\(id)(_support:\(member))"
        }
    }
}

/// What the chat and its preferences allow at the moment.
public struct ComposePolicy: Sendable, Equatable {
    /// Where the message goes.
    public var chat: ComposeChat
    /// Whether the user may send here at all.
    public var canSend = true
    /// Whether voice messages are allowed.
    public var allowsVoice = true
    /// Whether files, pictures and films are allowed. In talks with moderators they always are.
    public var allowsFiles = true
    /// Whether links of SimpleX are allowed. In talks with moderators they always are.
    public var allowsSimplexLinks = true
    /// Whether messages may have a time after which they go.
    public var allowsTimed = false
    /// Whether messages may be reported to moderators.
    public var allowsReports = true
    /// Whether messages go compressed where they are too large: with post-quantum encryption.
    public var compresses = false
    /// The largest file in bytes; nil for no limit.
    public var fileLimit: Int64? = MediaLimits.xftpInChat
    /// Whether what follows a user in links is cut off.
    public var sanitizesLinks = false
    /// Whether an unfinished message is kept when the chat is left.
    public var keepsDrafts = true
    /// Whether the user was told what a live message is.
    public var hasExplainedLive = true
    /// The time in seconds since 1970, for what is allowed for a day.
    public var now: Double = 0

    /// All that a chat of this kind may allow.
    public init(_ chat: ComposeChat) {
        self.chat = chat
        if chat.kind == .notes { fileLimit = nil }
    }

    var isModeratorTalk: Bool { chat.scope != nil }
    var isNotes: Bool { chat.kind == .notes }
    var takesFiles: Bool { isNotes || allowsFiles || isModeratorTalk }
    var takesSimplexLinks: Bool { isNotes || allowsSimplexLinks || isModeratorTalk }
    var takesVoice: Bool { isNotes || allowsVoice }
}

extension ComposePolicy {
    /// What a preference of a group says of a feature.
    public struct Feature: Sendable, Equatable {
        /// Whether it is on.
        public let isOn: Bool
        /// The least role that has it; nil for all.
        public let role: MemberRole?

        /// A feature, of all or of some.
        public init(isOn: Bool, role: MemberRole? = nil) {
            self.isOn = isOn
            self.role = role
        }

        /// Whether a member of that role has it.
        public func isOn(for member: MemberRole) -> Bool { isOn && role.map { member >= $0 } ?? true }
    }

    /// What a member may do, from least to most.
    public enum MemberRole: String, Sendable, Comparable, CaseIterable {
        /// Each with the word of the database.
        case relay, observer, author, member, moderator, admin, owner

        /// By what they may do.
        public static func < (one: MemberRole, other: MemberRole) -> Bool {
            let order = allCases
            return order.firstIndex(of: one) ?? 0 < order.firstIndex(of: other) ?? 0
        }
    }

    /// A group by its preferences.
    ///
    /// - Parameters:
    ///   - chat: the group.
    ///   - features: by the words of the format: `voice`, `files`, `simplexLinks`, `timedMessages`, `reports`. What is missing
    ///     is allowed, but for timed messages.
    ///   - role: the user's.
    public static func group(
        _ chat: ComposeChat, features: [String: Feature], role: MemberRole
    ) -> ComposePolicy {
        func isOn(_ name: String, otherwise: Bool = true) -> Bool {
            features[name]?.isOn(for: role) ?? otherwise
        }
        var policy = ComposePolicy(chat)
        // An observer writes to the moderators only.
        policy.canSend = role > .observer || chat.scope != nil
        policy.allowsVoice = isOn("voice")
        policy.allowsFiles = isOn("files")
        policy.allowsSimplexLinks = isOn("simplexLinks")
        policy.allowsTimed = isOn("timedMessages", otherwise: false)
        policy.allowsReports = isOn("reports")
        return policy
    }

    /// The words of the format for the features of a contact that decide what is sent.
    package static let contactFeatures = ["timedMessages", "voice", "files"]

    /// A contact by the preferences of both.
    ///
    /// - Parameters:
    ///   - chat: with the contact.
    ///   - enabled: the words of the features that are on for the user: `voice`, `files`, `timedMessages`.
    public static func contact(_ chat: ComposeChat, enabled: Set<String>) -> ComposePolicy {
        var policy = ComposePolicy(chat)
        policy.allowsVoice = enabled.contains("voice")
        policy.allowsFiles = enabled.contains("files")
        policy.allowsTimed = enabled.contains("timedMessages")
        policy.allowsReports = false
        return policy
    }
}
