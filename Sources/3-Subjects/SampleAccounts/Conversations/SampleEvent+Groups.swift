extension SampleEvent {
    /// Every event of a group, in each of its forms.
    static let everyGroup: [SampleEvent] =
        everyEncryptionNote("Group") + everyReceivedGroupEvent + everySentGroupEvent + everyGroupFeature
        + everyMemberConnectionEvent + receivedInGroups + stubs

    private static let bo: OrderedJSON = ["displayName": "bo", "fullName": "Bo Lind"]
    private static let boJoined: OrderedJSON = ["groupMemberId": 5, "profile": bo]

    private static func bo(_ name: String, _ value: OrderedJSON) -> OrderedJSON {
        .object([("groupMemberId", 5), ("profile", bo), (name, value)])
    }

    private static func received(_ name: String, _ text: String, _ fields: OrderedJSON = .object([]))
        -> SampleEvent
    {
        nested("rcvGroupEvent", name, text, fields)
    }

    private static func sent(_ name: String, _ text: String, _ fields: OrderedJSON = .object([]))
        -> SampleEvent
    {
        nested("sndGroupEvent", name, text, fields)
    }

    private static let groupProfiles: [OrderedJSON] = [
        ["displayName": "harbour", "fullName": ""],
        ["displayName": "harbour", "fullName": "", "description": "*Welcome* <b>all</b>"],
        [
            "displayName": "harbour", "fullName": "", "image": .text(SampleMedia.preview),
            "publicGroup": [
                "groupType": "channel", "groupLink": "https://smp1.example.org/c#Cc", "publicGroupId": "AAEC",
            ],
            "groupPreferences": ["history": ["enable": "on"]], "memberAdmission": ["review": "all"],
        ],
    ]

    static let everyReceivedGroupEvent: [SampleEvent] = receivedOfMembers + receivedOfTheUser

    private static let receivedOfMembers: [SampleEvent] =
        [
            received("memberAdded", "added bo (Bo Lind)", boJoined), received("memberConnected", "connected"),
            received("memberAccepted", "accepted bo (Bo Lind)", boJoined), received("memberLeft", "left"),
            received("memberBlocked", "blocked bo (Bo Lind)", bo("blocked", true)),
            received("memberBlocked", "unblocked bo (Bo Lind)", bo("blocked", false)),
            received("memberDeleted", "removed bo (Bo Lind)", boJoined),
            received("memberCreatedContact", "started direct connection with you"),
            received("newMemberPendingReview", "new member wants to join the group"),
            received("msgBadSignature", "message rejected: bad signature"),
            received("memberMoonwalked", "did something new", ["groupMemberId": 5]),
        ]
        + roles.map { received("memberRole", "changed role of bo (Bo Lind) to \($0)", bo("role", .text($0))) }
        + profileChanges.map { received("memberProfileUpdated", "updated profile", $0) }

    private static let roles = [
        "relay", "observer", "author", "member", "moderator", "admin", "owner", "commenter",
    ]

    private static let receivedOfTheUser: [SampleEvent] =
        [
            received("userAccepted", "accepted you"),
            received("userRole", "changed your role to admin", ["role": "admin"]),
            received("userDeleted", "removed you"), received("groupDeleted", "deleted group"),
            received("invitedViaGroupLink", "invited via your group link"),
        ] + groupProfiles.map { received("groupUpdated", "group profile updated", ["groupProfile": $0]) }

    static let everySentGroupEvent: [SampleEvent] =
        [
            sent("memberRole", "changed role of bo (Bo Lind) to observer", bo("role", "observer")),
            sent("memberBlocked", "blocked bo (Bo Lind)", bo("blocked", true)),
            sent("memberBlocked", "unblocked bo (Bo Lind)", bo("blocked", false)),
            sent("userRole", "changed role for yourself to member", ["role": "member"]),
            sent("memberDeleted", "removed bo (Bo Lind)", boJoined), sent("userLeft", "left"),
            sent("memberAccepted", "you accepted this member", boJoined),
            sent("userPendingReview", "please wait for the review of your request"),
        ] + groupProfiles.map { sent("groupUpdated", "group profile updated", ["groupProfile": $0]) }

    private static let groupFeatures = [
        ("timedMessages", "Disappearing messages"), ("directMessages", "Direct messages"),
        ("fullDelete", "Full deletion"),
        ("reactions", "Message reactions"), ("voice", "Voice messages"), ("files", "Files and media"),
        ("simplexLinks", "SimpleX links"), ("reports", "Member reports"), ("history", "Recent history"),
        ("support", "Chat with admins"), ("sessions", "Sessions"), ("comments", "Comments"),
        ("signMessages", "Sign messages"), ("telepathy", "telepathy"),
    ]

    static let everyGroupFeature: [SampleEvent] = groupFeatures.flatMap { name, words in
        let states = ["rcvGroupFeature", "sndGroupFeature"].flatMap { tag in
            ["on", "off"].map { state in
                var fields: [(String, OrderedJSON)] = [
                    ("groupFeature", .text(name)), ("preference", ["enable": .text(state)]),
                ]
                var suffix = ""
                if state == "on", ["timedMessages", "comments"].contains(name) {
                    fields.append(("param", 3600))
                    suffix = " (1 hour)"
                }
                if state == "on", ["directMessages", "voice", "files", "simplexLinks"].contains(name) {
                    fields.append(("memberRole_", "admin"))
                    suffix = " for admins"
                }
                return SampleEvent(tag, .object(fields), "\(words): \(state)\(suffix)")
            }
        }
        return states + [
            SampleEvent(
                "rcvGroupFeatureRejected", ["groupFeature": .text(name)], "\(words): received, prohibited")
        ]
    }

    /// Connections of members have these as well as those of contacts.
    private static let receivedInGroups: [SampleEvent] =
        everyConnectionEvent.filter { !$0.isSent } + everyError

    private static let stubs: [SampleEvent] = [
        SampleEvent("sndModerated", .object([]), "moderated"),
        SampleEvent("rcvModerated", .object([]), "moderated"),
        SampleEvent("rcvBlocked", .object([]), "blocked"),
    ]
}
