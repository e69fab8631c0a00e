package import ValiseEncoding

/// The content of a chat item, as the column `item_content` has it.
///
/// Parsing never fails: of what is not understood ``kind`` is nil, and the readable text of the row is shown in its place.
package struct ItemContent: Sendable, Equatable {
    /// What it is; nil where the JSON is none, or has a constructor that is not known or lacks a field.
    package let kind: Kind?
    /// The constructor's own fields as an object; without a kind whatever the document is, null where it is none.
    package let fields: JSONNode
    /// Of a message.
    package let message: MessageContent?
    /// Of the kinds that contain an event or an error; nil where it is not known or lacks a field: then the readable text
    /// of the row is shown.
    package let event: ItemEvent?

    /// Reads the text of the column.
    package init(parsing text: String) { self.init(JSONNode(parsing: text) ?? .null) }

    /// Reads a document in any of the forms of the official programs.
    package init(_ node: JSONNode) {
        guard let (name, fields) = node.sum, let kind = Kind(rawValue: name) else {
            self.init(unreadable: node)
            return
        }
        switch kind {
        case .sndMsgContent, .rcvMsgContent:
            guard let message = fields["msgContent"].flatMap(MessageContent.init) else {
                self.init(unreadable: node)
                return
            }
            self.init(kind: kind, fields: fields, message: message, event: nil)
        default:
            guard kind.shape.fits(fields) else {
                self.init(unreadable: node)
                return
            }
            self.init(kind: kind, fields: fields, message: nil, event: ItemEvent(of: kind, fields))
        }
    }

    private init(unreadable node: JSONNode) { self.init(kind: nil, fields: node, message: nil, event: nil) }

    private init(kind: Kind?, fields: JSONNode, message: MessageContent?, event: ItemEvent?) {
        self.kind = kind
        self.fields = fields
        self.message = message
        self.event = event
    }
}

extension ItemContent {
    /// The constructors, by the names that the column has.
    package enum Kind: String, Sendable, CaseIterable {
        // First, since they are by far the most.
        case rcvMsgContent, sndMsgContent
        case rcvGroupEvent, sndGroupEvent
        case rcvDirectEvent
        case rcvConnEvent, sndConnEvent
        case rcvCall, sndCall
        /// Left by a deletion in versions before 4.3.
        case rcvDeleted, sndDeleted
        case rcvModerated, sndModerated, rcvBlocked
        case rcvIntegrityError, rcvDecryptionError, rcvMsgError
        case rcvGroupInvitation, sndGroupInvitation
        case rcvChatFeature, sndChatFeature
        case rcvChatPreference, sndChatPreference
        case rcvGroupFeature, sndGroupFeature
        case rcvChatFeatureRejected, rcvGroupFeatureRejected
        case rcvDirectE2EEInfo, sndDirectE2EEInfo, rcvGroupE2EEInfo, sndGroupE2EEInfo
        /// The head of a chat, which is no item for whoever looks at it.
        case chatBanner
        /// Made by the core where it reads what it does not understand, not stored.
        case invalidJSON

        /// The direction that the constructor is for; nil where it is for both.
        package var isSent: Bool? {
            switch self {
            case .invalidJSON: nil
            case .chatBanner: true
            default: rawValue.utf8.first == UInt8(ascii: "s")
            }
        }

        /// Whether the apps show no item for it.
        package var isHidden: Bool { self == .chatBanner }
    }
}
