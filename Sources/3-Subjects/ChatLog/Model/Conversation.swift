package import ValiseEncoding

/// A conversation of an account: with a contact, in a group, or with oneself.
package struct Conversation: Sendable, Equatable {
    /// What kind of conversation it is.
    package enum Kind: String, Sendable, CaseIterable {
        case contact
        case group
        /// A group of a business and its customer.
        case business
        /// A group in which only few write.
        case channel
        /// The talk of a member with the administrators of its group.
        case support
        /// Private notes.
        case notes
    }

    /// Why the app does not list it.
    package enum Hiding: String, Sendable {
        /// The contact was deleted.
        case contactDeleted = "contact-deleted"
        /// The conversation was deleted, and the contact kept.
        case conversationDeleted = "conversation-deleted"
        /// Nothing was ever said.
        case unused
        /// The group was never completed.
        case incomplete
        /// The user did not accept the request for it.
        case request
        /// It belongs to a hidden profile.
        case hiddenProfile = "hidden-profile"
    }

    /// A name that stays the same in all exports of the account, such as `contact-4`.
    package let key: String
    package let kind: Kind
    /// The row of the profile that it belongs to.
    package let user: Int64
    /// The name of that profile.
    package let userName: String
    /// What is shown: the alias that the user gave, else the display name.
    package let name: String
    /// The name that is unique on this device, as the terminal app shows it.
    package let localName: String
    /// Nil where it is the name.
    package let fullName: String?
    package let about: String?
    /// A data URI; nil for none.
    package let picture: String?
    /// Nil where the app lists it.
    package let hiding: Hiding?
    /// Whether the user marked it as unread.
    package let isMarkedUnread: Bool
    /// How many items it has.
    package let items: Int64
    /// How many of them are unread.
    package let unread: Int64
    /// The time of the first item.
    package let first: UTCTime?
    /// The time of the last item.
    package let last: UTCTime?

    /// What selects it on a command line: `@name` for a contact, `#name` for a group, `*name` for notes.
    package var handle: String {
        switch kind {
        case .contact: "@\(localName)"
        case .group, .business, .channel: "#\(localName)"
        case .support: "#\(localName)"
        case .notes: "*\(localName)"
        }
    }
}

/// A profile of the account's user.
package struct LogUser: Sendable, Equatable {
    package let id: Int64
    package let name: String
    package let isActive: Bool
    /// Whether the app shows it only with its own passphrase.
    package let isHidden: Bool
}

/// Somebody who takes part in a conversation.
package struct Participant: Sendable, Hashable {
    /// Who it is: `me`, `contact`, `group` for what is said in its name, or a member's ID in base64url; empty for a member whose
    /// row is gone.
    package let key: String
    package let name: String

    /// The account's own user.
    package static let selfKey = "me"
    /// The other side of a conversation with a contact.
    package static let contactKey = "contact"
    /// The group itself.
    package static let groupKey = "group"

    /// Whether it is the account's own user.
    package var isSelf: Bool { key == Self.selfKey }

    /// - Parameters:
    ///   - key: who it is.
    ///   - name: as it is shown.
    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }
}
