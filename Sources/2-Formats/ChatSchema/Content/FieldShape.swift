import ValiseEncoding

/// What a value must be so that the official programs understand it. Further fields may be there, and words are not
/// looked at: later versions have more of both.
indirect enum FieldShape: Sendable {
    case text
    case integer
    case boolean
    /// Has at least these.
    case object(KeyValuePairs<String, FieldShape>)

    /// Whether a value is one.
    func fits(_ node: JSONNode?) -> Bool {
        switch (self, node) {
        case (.text, .text), (.boolean, .bool): true
        case (.integer, let node?): node.integerValue != nil
        case (.object(let fields), .object?): fields.allSatisfy { $0.value.fits(node?[$0.key]) }
        default: false
        }
    }

    /// An object of any fields.
    static let empty = FieldShape.object([:])
    /// A contact's, a member's or a group's.
    static let profile = FieldShape.object(["displayName": .text, "fullName": .text])
    /// What has the profile of a group.
    static let group = FieldShape.object(["groupProfile": profile])
    /// A member, as events have it.
    static let member = FieldShape.object(["groupMemberId": .integer, "profile": profile])
    /// A change of a profile.
    static let profiles = FieldShape.object(["fromProfile": profile, "toProfile": profile])
}

// MARK: Constructors

extension ItemContent.Kind {
    /// What its fields must be; messages have shapes of their own.
    var shape: FieldShape { Self.shapes[self] ?? .empty }

    private static let call = FieldShape.object(["status": .text, "duration": .integer])
    private static let deleted = FieldShape.object(["deleteMode": .text])
    private static let encryption = FieldShape.object(["e2eeInfo": .empty])
    private static let invitation = FieldShape.object([
        "groupInvitation": .object([
            "groupId": .integer, "groupMemberId": .integer, "localDisplayName": .text,
            "groupProfile": .profile, "status": .text,
        ]), "memberRole": .text,
    ])
    private static let chatFeature = FieldShape.object([
        "feature": .text, "enabled": .object(["forUser": .boolean, "forContact": .boolean]),
    ])
    private static let chatPreference = FieldShape.object(["feature": .text, "allowed": .text])
    private static let groupFeature = FieldShape.object([
        "groupFeature": .text, "preference": .object(["enable": .text]),
    ])

    private static let shapes: [Self: FieldShape] = [
        .rcvCall: call, .sndCall: call,
        .rcvDeleted: deleted, .sndDeleted: deleted,
        .rcvDecryptionError: .object(["msgDecryptError": .text, "msgCount": .integer]),
        .rcvGroupInvitation: invitation, .sndGroupInvitation: invitation,
        .rcvChatFeature: chatFeature, .sndChatFeature: chatFeature,
        .rcvChatPreference: chatPreference, .sndChatPreference: chatPreference,
        .rcvGroupFeature: groupFeature, .sndGroupFeature: groupFeature,
        .rcvChatFeatureRejected: .object(["feature": .text]),
        .rcvGroupFeatureRejected: .object(["groupFeature": .text]),
        .rcvDirectE2EEInfo: encryption, .sndDirectE2EEInfo: encryption,
        .rcvGroupE2EEInfo: encryption, .sndGroupE2EEInfo: encryption,
        .invalidJSON: .object(["direction": .text, "json": .text]),
    ]
}

// MARK: Events

extension FieldShape {
    private static let role = FieldShape.object(["role": .text])
    private static let memberRole = FieldShape.object([
        "groupMemberId": .integer, "profile": profile, "role": .text,
    ])
    private static let memberBlocked = FieldShape.object([
        "groupMemberId": .integer, "profile": profile, "blocked": .boolean,
    ])
    private static let queue = FieldShape.object(["phase": .text])
    private static let ratchet = FieldShape.object(["syncStatus": .text])
    private static let quantum = FieldShape.object(["enabled": .boolean])

    /// The events of each kind.
    static let events: [ItemContent.Kind: [String: FieldShape]] = [
        .rcvIntegrityError: [
            "msgSkipped": .object(["fromMsgId": .integer, "toMsgId": .integer]),
            "msgBadId": .object(["msgId": .integer]), "msgBadHash": .empty, "msgDuplicate": .empty,
        ],
        .rcvMsgError: [
            "dropped": .object(["attempts": .integer]), "parseError": .object(["parseError": .text]),
        ],
        .rcvDirectEvent: [
            "contactDeleted": .empty, "profileUpdated": profiles, "groupInvLinkReceived": group,
        ],
        .rcvGroupEvent: [
            "memberAdded": member, "memberConnected": .empty, "memberAccepted": member,
            "userAccepted": .empty,
            "memberLeft": .empty, "memberRole": memberRole, "memberBlocked": memberBlocked, "userRole": role,
            "memberDeleted": member, "userDeleted": .empty, "groupDeleted": .empty, "groupUpdated": group,
            "invitedViaGroupLink": .empty, "memberCreatedContact": .empty, "memberProfileUpdated": profiles,
            "newMemberPendingReview": .empty, "msgBadSignature": .empty,
        ],
        .sndGroupEvent: [
            "memberRole": memberRole, "memberBlocked": memberBlocked, "userRole": role,
            "memberDeleted": member,
            "userLeft": .empty, "groupUpdated": group, "memberAccepted": member, "userPendingReview": .empty,
        ],
        .rcvConnEvent: [
            "switchQueue": queue, "ratchetSync": ratchet, "verificationCodeReset": .empty,
            "pqEnabled": quantum,
        ],
        .sndConnEvent: ["switchQueue": queue, "ratchetSync": ratchet, "pqEnabled": quantum],
    ]
}
