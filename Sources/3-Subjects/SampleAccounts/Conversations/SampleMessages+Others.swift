extension SampleMessages {
    private static let profile: OrderedJSON = ["displayName": "Ines", "fullName": ""]
    private static let group: OrderedJSON = ["displayName": "Harbour", "fullName": "Harbour club"]
    private static let signature: OrderedJSON = [
        "ownerId": "AAEC", "chatBinding": "AwQF", "ownerSig": "BgcI",
    ]

    /// Links to chats: of a contact, a business, a group, by an invitation, signed, and of a kind to come.
    static let chats: [SampleMessage] = [
        chat("talk to them\nhttps://smp1.example.org/a#AbCd", contact(isBusiness: false)),
        chat("https://smp1.example.org/a#AbCd", contact(isBusiness: true)),
        chat("https://smp1.example.org/i#Zz", invitation),
        chat("https://smp1.example.org/g#Gg", groupLink),
        chat("https://smp1.example.org/g#Gg", groupLink, signed: true),
        chat("https://smp1.example.org/t#Tt", ["type": "tunnel", "far": true]),
    ]

    private static func contact(isBusiness: Bool) -> OrderedJSON {
        [
            "type": "contact", "connLink": "https://smp1.example.org/a#AbCd", "profile": profile,
            "business": .bool(isBusiness),
        ]
    }
    private static let invitation: OrderedJSON = [
        "type": "invitation", "invLink": "https://smp1.example.org/i#Zz", "profile": profile,
    ]
    private static let groupLink: OrderedJSON = [
        "type": "group", "connLink": "https://smp1.example.org/g#Gg", "groupProfile": group,
    ]

    private static func chat(_ text: String, _ link: OrderedJSON, signed: Bool = false) -> SampleMessage {
        var fields: [(String, OrderedJSON)] = [("chatLink", link)]
        if signed { fields.append(("ownerSig", signature)) }
        return SampleMessage(tag: "chat", text: text, fields: fields)
    }

    /// Types that only a newer program knows.
    static let others: [SampleMessage] = [
        SampleMessage(tag: "poll", text: "lunch?", fields: [("options", ["a", "b"])]),
        SampleMessage(
            tag: "sticker", text: "", fields: [("pack", 7)], shownText: "unknown message type",
            isWithoutText: true),
        SampleMessage(
            tag: "<b>bold</b>", text: "a *type* of its own",
            fields: [("nested", ["deep": ["deeper": [1, true, .null, "x"]]])]),
    ]
}

/// Contents that are not in the form of the core, or no JSON at all; `%` stands for the direction.
struct RawContent {
    let text: String
    let json: String
    let tag: String?
    var messageTag: String?

    static let all: [RawContent] = [
        RawContent(
            text: "hello from the API form",
            json: #"{"type":"%MsgContent","msgContent":{"type":"text","text":"hello from the API form"}}"#,
            tag: "%MsgContent", messageTag: "text"),
        RawContent(
            text: "ios form",
            json: #"{"_owsf":true,"%MsgContent":{"msgContent":{"type":"text","text":"ios form"}}}"#,
            tag: "%MsgContent", messageTag: "text"),
        RawContent(
            text: "being typed long ago",
            json: #"{"%MsgContent":{"msgContent":{"type":"liveText","text":"being typed long ago"}}}"#,
            tag: "%MsgContent", messageTag: "liveText"),
        RawContent(
            text: "spaces and escapes",
            json:
                " { \"%MsgContent\" : { \"msgContent\" : { \"text\" : \"spaces and \\u0065scapes\", \"type\" : \"text\" } } } ",
            tag: "%MsgContent", messageTag: "text"),
        RawContent(
            text: "half a pair",
            json: #"{"%MsgContent":{"msgContent":{"type":"text","text":"half a \ud83d pair"}}}"#,
            tag: "%MsgContent", messageTag: "text"),
        RawContent(text: "moderated", json: #"{"%Moderated":[]}"#, tag: "%Moderated"),
        RawContent(
            text: "invalid content JSON", json: #"{"invalidJSON":{"direction":"%","json":"{\"what\":1}"}}"#,
            tag: "invalidJSON"),
        RawContent(
            text: "half a message", json: #"{"%MsgContent":{"msgContent":{"type":"text","te"#, tag: nil),
        RawContent(text: "just text", json: #""just text""#, tag: nil),
        RawContent(text: "nothing", json: "", tag: nil),
        RawContent(text: "a hologram", json: #"{"%Hologram":{"size":3}}"#, tag: nil),
        RawContent(
            text: "no picture", json: #"{"%MsgContent":{"msgContent":{"type":"image","text":"no picture"}}}"#,
            tag: nil),
        RawContent(
            text: "a number for a text", json: #"{"%MsgContent":{"msgContent":{"type":"text","text":7}}}"#,
            tag: nil),
        RawContent(
            text: "deep", json: String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000),
            tag: nil),
    ]

    /// What the row holds in one direction.
    func filled(isSent: Bool) -> (json: String, tag: String?) {
        let word = isSent ? "snd" : "rcv"
        return (json.replacing("%", with: word), tag?.replacing("%", with: word))
    }
}
