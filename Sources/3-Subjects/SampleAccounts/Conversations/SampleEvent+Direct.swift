/// Every event of a direct chat, in each of its forms, with the text that the core writes beside it. The shorter list of
/// the usual sample has words of its own, on which recorded transcripts rest.
extension SampleEvent {
    static let everyDirect: [SampleEvent] =
        everyEncryptionNote("Direct") + everyTombstone + everyCall + everyInvitation + everyDirectEvent
        + everyFeature + everyConnectionEvent + everyError

    private static let calls: [(status: String, duration: Int, text: String)] = [
        ("pending", 0, "calling..."), ("missed", 0, "missed"), ("rejected", 0, "rejected"),
        ("accepted", 0, "accepted"),
        ("negotiated", 0, "connecting..."), ("progress", 75, "in progress (01:15)"),
        ("ended", 42, "ended (00:42)"),
        ("ended", 3671, "ended (61:11)"), ("error", 0, "error"),
    ]

    static let everyCall: [SampleEvent] = calls.flatMap { one in
        [
            call("sndCall", one.status, one.duration, "outgoing call: \(one.text)"),
            call("rcvCall", one.status, one.duration, "incoming call: \(one.text)"),
        ]
    }

    /// What is left of items that a version before 4.3 deleted.
    static let everyTombstone: [SampleEvent] = [
        ("broadcast", "broadcast"), ("internal", "locally"), ("internalMark", "locally"),
        ("history", "from history"),
    ].flatMap { mode, word in
        ["sndDeleted", "rcvDeleted"].map {
            SampleEvent($0, ["deleteMode": .text(mode)], "this item is deleted (\(word))")
        }
    }

    private static let harbour: OrderedJSON = ["displayName": "harbour", "fullName": "Harbour club"]

    static let everyInvitation: [SampleEvent] = ["pending", "accepted", "rejected", "expired"].flatMap {
        status in
        [("rcvGroupInvitation", "received"), ("sndGroupInvitation", "sent")].map { tag, word in
            let role = status == "accepted" ? "admin" : status == "rejected" ? "observer" : "member"
            let invitation: OrderedJSON = [
                "groupId": 3, "groupMemberId": 11, "localDisplayName": "harbour", "groupProfile": harbour,
                "status": .text(status),
            ]
            return SampleEvent(
                tag, ["groupInvitation": invitation, "memberRole": .text(role)],
                "\(word) invitation to join group harbour (Harbour club) as \(role)")
        }
    }

    /// Profiles of whom something changed: a name, the full name, the picture, the address, or what has no words.
    static let profileChanges: [OrderedJSON] = [
        change([("displayName", "bo"), ("fullName", "")], [("displayName", "bob"), ("fullName", "")]),
        change([("displayName", "bo"), ("fullName", "")], [("displayName", "bo"), ("fullName", "Bo Lind")]),
        change([], [("image", .text(SampleMedia.preview))]),
        change([("image", .text(SampleMedia.preview))], []),
        change([], [("contactLink", "https://smp1.example.org/a#AbCd")]),
        change([("contactLink", "https://smp1.example.org/a#AbCd")], []),
        change([], [("shortDescr", "Sails on *Sundays*"), ("peerType", "bot")]),
        change(
            [],
            [("displayName", .text(HostileTexts.markup[0])), ("fullName", .text(HostileTexts.unicode[0]))]),
    ]

    private static func change(
        _ before: [(String, OrderedJSON)], _ after: [(String, OrderedJSON)]
    ) -> OrderedJSON {
        .object([("fromProfile", profile(with: before)), ("toProfile", profile(with: after))])
    }

    private static func profile(with fields: [(String, OrderedJSON)]) -> OrderedJSON {
        if fields.first?.0 == "displayName" { return .object(fields) }
        return .object([("displayName", "bo"), ("fullName", "Bo Lind")] + fields)
    }

    static let everyDirectEvent: [SampleEvent] =
        [
            nested("rcvDirectEvent", "contactDeleted", "contact deleted"),
            nested(
                "rcvDirectEvent", "groupInvLinkReceived", "requested connection from group harbour",
                ["groupProfile": harbour]),
            nested("rcvDirectEvent", "contactTeleported", "did something new", ["far": 3]),
        ] + profileChanges.map { nested("rcvDirectEvent", "profileUpdated", "updated profile", $0) }

    static func everyEncryptionNote(_ kind: String) -> [SampleEvent] {
        let forms: [(OrderedJSON, String)] = [
            (["pqEnabled": true], "quantum resistant end-to-end encryption"),
            (["pqEnabled": false], "end-to-end encryption"), (.object([]), "end-to-end encryption"),
            (["public": true, "pqEnabled": false], "not end-to-end encrypted"),
        ]
        return ["snd", "rcv"].flatMap { word in
            forms.map { SampleEvent("\(word)\(kind)E2EEInfo", ["e2eeInfo": $0.0], $0.1) }
        }
    }
}
