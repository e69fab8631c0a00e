/// An item that is no message: what happened to a chat (SimpleX's data model).
struct SampleEvent {
    /// The constructor, also `item_content_tag`.
    let tag: String
    let fields: OrderedJSON
    let text: String
    var isSent: Bool { tag.hasPrefix("snd") }

    var json: OrderedJSON { .one(tag, fields) }

    init(_ tag: String, _ fields: OrderedJSON, _ text: String) {
        self.tag = tag
        self.fields = fields
        self.text = text
    }

    /// One whose fields are a sum of the same name: `{"rcvGroupEvent":{"rcvGroupEvent":{…}}}`.
    static func nested(
        _ tag: String, _ name: String, _ text: String, _ fields: OrderedJSON = .object([])
    ) -> SampleEvent {
        SampleEvent(tag, .one(tag, .one(name, fields)), text)
    }

    static func call(
        _ tag: String, _ status: String, _ duration: Int, _ text: String
    ) -> SampleEvent {
        SampleEvent(tag, ["status": .text(status), "duration": .number(duration)], text)
    }

    private static let both: OrderedJSON = ["forUser": true, "forContact": true]
    private static let profile: OrderedJSON = ["displayName": "bob", "fullName": "Bob Example"]
    private static let newProfile: OrderedJSON = ["displayName": "bob", "fullName": "Bob E."]
    private static let groupProfile: OrderedJSON = ["displayName": "Garden Club 🌱", "fullName": ""]
    private static let member: OrderedJSON = ["groupMemberId": 2, "profile": profile]

    private static func member(_ name: String, _ value: OrderedJSON) -> OrderedJSON {
        .object([("groupMemberId", 2), ("profile", profile), (name, value)])
    }

    private static func invitation(_ status: String) -> OrderedJSON {
        [
            "groupInvitation": [
                "groupId": 1, "groupMemberId": 2, "localDisplayName": "Garden Club 🌱",
                "groupProfile": groupProfile, "status": .text(status),
            ],
            "memberRole": "member",
        ]
    }

    static let banner = SampleEvent("chatBanner", [:], "")

    static let direct: [SampleEvent] = [
        banner,
        SampleEvent(
            "rcvDirectE2EEInfo", ["e2eeInfo": ["pqEnabled": true]], "quantum resistant e2e encryption"),
        SampleEvent("sndDirectE2EEInfo", ["e2eeInfo": ["pqEnabled": false]], "e2e encryption"),
        SampleEvent(
            "rcvChatFeature", ["feature": "timedMessages", "enabled": both, "param": 604_800],
            "Disappearing messages: enabled (1 week)"),
        SampleEvent("sndChatFeature", ["feature": "voice", "enabled": both], "Voice messages: enabled"),
        SampleEvent(
            "rcvChatPreference", ["feature": "fullDelete", "allowed": "always"], "Full deletion: allowed"),
        SampleEvent("sndChatPreference", ["feature": "calls", "allowed": "no"], "Calls: not allowed"),
        SampleEvent("rcvChatFeatureRejected", ["feature": "files"], "Files and media: received, prohibited"),
        call("rcvCall", "missed", 0, "missed"),
        call("sndCall", "ended", 42, "ended (00:42)"),
        call("rcvCall", "rejected", 0, "rejected"),
        call("sndCall", "pending", 0, "calling..."),
        call("rcvCall", "ended", 3725, "ended (01:02:05)"),
        SampleEvent(
            "rcvIntegrityError", ["msgError": .one("msgSkipped", ["fromMsgId": 4, "toMsgId": 5])],
            "skipped message ID 4..5"),
        SampleEvent("rcvIntegrityError", ["msgError": .one("msgBadHash")], "bad message hash"),
        SampleEvent(
            "rcvDecryptionError", ["msgDecryptError": "ratchetHeader", "msgCount": 3],
            "Decryption error (possibly due to the device change) (header) (3)"),
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": .one("dropped", ["attempts": 3])],
            "message dropped after 3 attempts"),
        nested(
            "rcvDirectEvent", "profileUpdated", "updated profile",
            ["fromProfile": profile, "toProfile": newProfile]),
        nested("rcvDirectEvent", "contactDeleted", "contact deleted"),
        nested(
            "rcvDirectEvent", "groupInvLinkReceived", "requested to join group",
            ["groupProfile": groupProfile]),
        nested("rcvConnEvent", "switchQueue", "started changing address", ["phase": "started"]),
        nested("rcvConnEvent", "ratchetSync", "connection synchronized", ["syncStatus": "ok"]),
        nested("rcvConnEvent", "verificationCodeReset", "security code changed"),
        nested("rcvConnEvent", "pqEnabled", "quantum resistant encryption", ["enabled": true]),
        nested("sndConnEvent", "switchQueue", "you changed address", ["phase": "completed"]),
        nested("sndConnEvent", "pqEnabled", "quantum resistant encryption", ["enabled": true]),
        SampleEvent("rcvGroupInvitation", invitation("pending"), "received invitation to join group"),
        SampleEvent("sndGroupInvitation", invitation("accepted"), "sent invitation to join group"),
        SampleEvent("rcvDeleted", ["deleteMode": "broadcast"], "deleted"),
        SampleEvent("sndDeleted", ["deleteMode": "internal"], "deleted"),
        SampleEvent("rcvFutureEvent", ["level": 9], "something that only a newer version knows"),
    ]

    static let group: [SampleEvent] = [
        banner,
        SampleEvent("rcvGroupE2EEInfo", ["e2eeInfo": ["pqEnabled": false]], "e2e encryption"),
        SampleEvent("sndGroupE2EEInfo", ["e2eeInfo": ["public": true]], "not e2e encrypted"),
        nested("rcvGroupEvent", "memberAdded", "added bob", member),
        nested("rcvGroupEvent", "memberConnected", "connected"),
        nested("rcvGroupEvent", "memberAccepted", "accepted bob", member),
        nested("rcvGroupEvent", "userAccepted", "accepted you"),
        nested("rcvGroupEvent", "memberLeft", "left"),
        nested("rcvGroupEvent", "memberRole", "changed role of bob to admin", member("role", "admin")),
        nested("rcvGroupEvent", "memberBlocked", "blocked bob", member("blocked", true)),
        nested("rcvGroupEvent", "userRole", "changed your role to observer", ["role": "observer"]),
        nested("rcvGroupEvent", "memberDeleted", "removed bob", member),
        nested("rcvGroupEvent", "userDeleted", "removed you"),
        nested("rcvGroupEvent", "groupDeleted", "deleted group"),
        nested("rcvGroupEvent", "groupUpdated", "updated group profile", ["groupProfile": groupProfile]),
        nested("rcvGroupEvent", "invitedViaGroupLink", "invited via your group link"),
        nested("rcvGroupEvent", "memberCreatedContact", "started direct connection with you"),
        nested(
            "rcvGroupEvent", "memberProfileUpdated", "updated profile",
            ["fromProfile": profile, "toProfile": newProfile]),
        nested("rcvGroupEvent", "newMemberPendingReview", "new member wants to join the group"),
        nested("rcvGroupEvent", "msgBadSignature", "message with a bad signature"),
        nested("sndGroupEvent", "memberRole", "changed role of bob to admin", member("role", "admin")),
        nested("sndGroupEvent", "memberBlocked", "blocked bob", member("blocked", true)),
        nested("sndGroupEvent", "userRole", "changed role for yourself to admin", ["role": "admin"]),
        nested("sndGroupEvent", "memberDeleted", "removed bob", member),
        nested("sndGroupEvent", "userLeft", "left"),
        nested("sndGroupEvent", "groupUpdated", "group profile updated", ["groupProfile": groupProfile]),
        nested("sndGroupEvent", "memberAccepted", "accepted bob", member),
        nested("sndGroupEvent", "userPendingReview", "please wait for moderators to review your request"),
        SampleEvent(
            "rcvGroupFeature", ["groupFeature": "reports", "preference": ["enable": "on"]],
            "Member reports: on"),
        SampleEvent(
            "sndGroupFeature",
            ["groupFeature": "voice", "preference": ["enable": "off"], "memberRole_": "admin"],
            "Voice messages: off"),
        SampleEvent("rcvGroupFeatureRejected", ["groupFeature": "simplexLinks"], "SimpleX links: prohibited"),
        SampleEvent("sndModerated", [:], "moderated"),
        SampleEvent("rcvModerated", [:], "moderated"),
        SampleEvent("rcvBlocked", [:], "blocked"),
        SampleEvent(
            "rcvIntegrityError", ["msgError": .one("msgBadId", ["msgId": 7])], "unexpected message ID 7"),
        SampleEvent(
            "rcvDecryptionError", ["msgDecryptError": "tooManySkipped", "msgCount": 1], "Decryption error"),
    ]
}
