extension SampleEvent {
    private static let phases = [
        ("started", "started changing address"), ("confirmed", "confirmed changing address"),
        ("secured", "secured new address"), ("completed", "changed address"),
    ]
    private static let bo: OrderedJSON = ["displayName": "bo", "fullName": "Bo Lind"]
    private static let member: OrderedJSON = ["groupMemberId": 5, "profile": bo]

    private static let syncs = ["ok", "allowed", "required", "started", "agreed"]

    /// What happened to a connection; the other side's first.
    static let everyConnectionEvent: [SampleEvent] =
        receivedConnectionEvents + sentConnectionEvents(member: nil)

    private static let receivedConnectionEvents: [SampleEvent] =
        phases.map { phase, text in
            let dots = phase == "completed" ? "" : "..."
            return nested("rcvConnEvent", "switchQueue", "\(text) for you\(dots)", ["phase": .text(phase)])
        }
        + syncs.map { nested("rcvConnEvent", "ratchetSync", "encryption: \($0)", ["syncStatus": .text($0)]) }
        + [
            nested("rcvConnEvent", "verificationCodeReset", "security code changed"),
            nested("rcvConnEvent", "pqEnabled", "quantum resistant encryption enabled", ["enabled": true]),
            nested("rcvConnEvent", "pqEnabled", "quantum resistant encryption disabled", ["enabled": false]),
        ]

    /// In a group they name the member.
    static let everyMemberConnectionEvent: [SampleEvent] = sentConnectionEvents(member: member)

    private static func sentConnectionEvents(member: OrderedJSON?) -> [SampleEvent] {
        let whom: [(String, OrderedJSON)] = member.map { [("member", $0)] } ?? []
        let suffix = member == nil ? "" : " for bo"
        let switches = phases.map { phase, text in
            let words = phase == "completed" && member == nil ? "you \(text)" : "\(text)\(suffix)..."
            return nested("sndConnEvent", "switchQueue", words, .object([("phase", .text(phase))] + whom))
        }
        let synchronized = syncs.map { status in
            nested(
                "sndConnEvent", "ratchetSync", "encryption: \(status)\(suffix)",
                .object([("syncStatus", .text(status))] + whom))
        }
        guard member == nil else { return switches + synchronized }
        return switches + synchronized
            + [true, false].map {
                nested(
                    "sndConnEvent", "pqEnabled",
                    "quantum resistant encryption " + ($0 ? "enabled" : "disabled"),
                    ["enabled": .bool($0)])
            }
    }

    /// Messages that did not arrive as they were sent.
    static let everyError: [SampleEvent] =
        [
            integrity("msgSkipped", ["fromMsgId": 4, "toMsgId": 7], "skipped message ID 4..7"),
            integrity("msgSkipped", ["fromMsgId": 9, "toMsgId": 9], "skipped message ID 9"),
            integrity("msgBadId", ["msgId": 12], "unexpected message ID 12"),
            integrity("msgBadHash", .object([]), "incorrect message hash"),
            integrity("msgDuplicate", .object([]), "duplicate message ID"),
        ]
        + ["ratchetHeader", "tooManySkipped", "ratchetEarlier", "other", "ratchetSync"].enumerated().map {
            SampleEvent(
                "rcvDecryptionError", ["msgDecryptError": .text($1), "msgCount": .number($0 + 1)],
                "decryption error: \($1), \($0 + 1) messages")
        } + receptionErrors

    /// The one sum whose form is that of the platform: with a tag, as Apple's systems write it, and with one field.
    private static let receptionErrors: [SampleEvent] = [
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": ["type": "dropped", "attempts": 3]],
            "message removed after 3 attempts"),
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": ["_owsf": true, "dropped": ["attempts": 3]]],
            "message removed after 3 attempts"),
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": ["type": "parseError", "parseError": "bad JSON"]],
            "message error: bad JSON"),
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": ["_owsf": true, "parseError": ["parseError": "bad JSON"]]],
            "message error: bad JSON"),
        SampleEvent(
            "rcvMsgError", ["rcvMsgError": .one("dropped", ["attempts": 1])],
            "message removed after 1 attempt"),
    ]

    private static func integrity(_ name: String, _ fields: OrderedJSON, _ text: String) -> SampleEvent {
        SampleEvent("rcvIntegrityError", ["msgError": .one(name, fields)], text)
    }

    // MARK: Features of direct chats

    private static let features = [
        ("timedMessages", "Disappearing messages"), ("fullDelete", "Full deletion"),
        ("reactions", "Message reactions"),
        ("voice", "Voice messages"), ("files", "Files and media"), ("calls", "Audio/video calls"),
        ("sessions", "Sessions"), ("telepathy", "telepathy"),
    ]

    static let everyFeature: [SampleEvent] = features.flatMap { name, words in
        let sides: [(Bool, Bool, String)] = [
            (true, true, "enabled"), (true, false, "enabled for you"), (false, true, "enabled for contact"),
            (false, false, "off"),
        ]
        let isTimed = name == "timedMessages"
        let states = sides.flatMap { user, contact, state in
            ["rcvChatFeature", "sndChatFeature"].map { tag in
                let timer: [(String, OrderedJSON)] = isTimed && user && contact ? [("param", 86_400)] : []
                let enabled: OrderedJSON = ["forUser": .bool(user), "forContact": .bool(contact)]
                return SampleEvent(
                    tag, .object([("feature", .text(name)), ("enabled", enabled)] + timer),
                    "\(words): \(state)" + (timer.isEmpty ? "" : " (1 day)"))
            }
        }
        return states + preferences(name, words, isTimed: isTimed) + [
            SampleEvent("rcvChatFeatureRejected", ["feature": .text(name)], "\(words): received, prohibited")
        ]
    }

    private static func preferences(_ name: String, _ words: String, isTimed: Bool) -> [SampleEvent] {
        ["always", "yes", "no"].flatMap { allowed in
            [("rcvChatPreference", ""), ("sndChatPreference", "you ")].map { tag, who in
                let timer: [(String, OrderedJSON)] = isTimed && allowed == "yes" ? [("param", 604_800)] : []
                let verb = allowed == "no" ? "cancelled" : "offered"
                return SampleEvent(
                    tag, .object([("feature", .text(name)), ("allowed", .text(allowed))] + timer),
                    "\(who)\(verb) \(words)" + (timer.isEmpty ? "" : " (1 week)"))
            }
        }
    }
}
