import Foundation
import Testing
import ValiseDatabase
import ValiseEncoding

@testable import ValiseChatSchema

/// What an item says, in each form and of each age.
struct ItemContentTests {
    @Test func `the vectors of contents`() throws {
        let vectors = try ChatLogVectors.items("content")
        #expect(vectors.count == 127)
        for vector in vectors {
            let content = ItemContent(parsing: try vector.values.text("item_content"))
            let number = Comment(rawValue: "vector \(vector.number)")
            #expect((content.kind?.rawValue ?? "unreadable") == vector.expects("kind"), number)
            #expect(content.message?.type == vector.expects("msgType"), number)
            let isSent = try vector.values.text("dir") == "snd"
            if let kind = content.kind { #expect((kind.isSent ?? isSent) == isSent, number) }
            #expect(
                (content.kind?.isHidden ?? false) == (vector.expected["hidden"] as? Bool ?? false), number)
            if content.message != nil {
                try Self.compareMessage(content, vector, number)
            } else if content.kind != nil {
                Self.compareFields(content, vector, number)
            }
        }
    }

    private static func compareMessage(
        _ content: ItemContent, _ vector: ChatLogVectors.Vector, _ number: Comment
    ) throws {
        let message = try #require(content.message)
        #expect(message.text == vector.expects("text"), number)
        #expect(try message.readableText == vector.values.text("item_text"), number)
        #expect(message.reason == vector.expects("reason"), number)
        #expect(message.duration == (vector.expected["duration"] as? Int64), number)
        #expect(message.link?.uri == vector.expects("linkUri"), number)
        #expect(message.link?.title == vector.expects("linkTitle"), number)
        #expect(message.link?.contentType == vector.expects("linkContent"), number)
        let hasImage = vector.expected["hasPreviewImage"] as? Bool ?? false
        #expect(((message.image ?? message.link?.image) != nil) == hasImage, number)
        #expect(message.chatLink?.type == vector.expects("chatLinkType"), number)
        #expect(message.chatLink?.name == vector.expects("chatLinkName"), number)
        #expect(message.chatLink?.link == vector.expects("chatLink"), number)
    }

    /// Where the values are, besides those that have the name of their field.
    private static let paths: [String: [[String]]] = [
        "callStatus": [["status"]], "status": [["groupInvitation", "status"]],
        "feature": [["feature"], ["groupFeature"]],
        "groupName": [["groupInvitation", "groupProfile", "displayName"], ["groupProfile", "displayName"]],
        "memberName": [["member", "profile", "displayName"]], "forUser": [["enabled", "forUser"]],
        "forContact": [["enabled", "forContact"]], "enable": [["preference", "enable"]],
        "role": [["role"], ["memberRole_"]], "pqEnabled": [["e2eeInfo", "pqEnabled"]],
        "public": [["e2eeInfo", "public"]],
    ]
    private static let names = ["event", "msgError", "rcvMsgError"]

    private static func compareFields(
        _ content: ItemContent, _ vector: ChatLogVectors.Vector, _ number: Comment
    ) {
        for (key, value) in vector.expected where !["kind", "hidden", "fallbackText"].contains(key) {
            if key == "change" {
                let fields = content.event?.fields
                let change = ItemContent.profileChange(
                    from: fields?["fromProfile"] ?? .null, to: fields?["toProfile"] ?? .null)
                #expect(change.rawValue == value as? String, number)
            } else if names.contains(key) {
                #expect(content.event?.name == value as? String, number)
            } else {
                let fields = content.event?.fields ?? content.fields
                let found = (paths[key] ?? [[key]]).lazy.compactMap { path in
                    path.reduce(fields as JSONNode?) { $0?[$1] }
                }.first
                #expect(found.map { agrees($0, value) } ?? false, "\(number): \(key)")
            }
        }
    }

    private static func agrees(_ node: JSONNode, _ value: Any) -> Bool {
        switch node {
        case .text(let text): value as? String == text
        case .bool(let flag): value as? Bool == flag
        default: node.integerValue.map { value as? Int64 == $0 } ?? false
        }
    }

    @Test(arguments: [
        #"{"rcvGroupEvent":{"rcvGroupEvent":{"memberLeft":{}}}}"#,
        #"{"rcvGroupEvent":{"rcvGroupEvent":{"memberLeft":[]}}}"#,
        #"{"rcvGroupEvent":{"rcvGroupEvent":{"type":"memberLeft"}}}"#,
        #"{"rcvGroupEvent":{"rcvGroupEvent":{"_owsf":true,"memberLeft":{}}}}"#,
        #"{"type":"rcvGroupEvent","rcvGroupEvent":{"type":"memberLeft"}}"#,
        #"{"_owsf":true,"rcvGroupEvent":{"rcvGroupEvent":{"_owsf":true,"memberLeft":{}}}}"#,
    ])
    func `each form of values with cases is read at each level`(text: String) {
        let content = ItemContent(parsing: text)
        #expect(content.kind == .rcvGroupEvent)
        #expect(content.event?.name == "memberLeft")
        #expect(content.event?.fields == .empty)
    }

    @Test(arguments: [
        "", "null", "[]", #"{"rcvCall":{}}"#, #"{"rcvCall":{"status":"ended","duration":"5"}}"#,
        #"{"rcvCall":{"status":5,"duration":5}}"#, #"{"rcvCall":{"status":"ended","duration":1.5}}"#,
        #"{"rcvMsgContent":{}}"#, #"{"rcvMsgContent":{"msgContent":"text"}}"#,
        #"{"rcvMsgContent":{"msgContent":{"text":"no type"}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"text"}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"text","text":null}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"voice","text":"","duration":"7"}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"video","text":"","image":""}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"report","text":""}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"link","text":"","preview":{"uri":"u","title":"t"}}}}"#,
        #"{"rcvMsgContent":{"msgContent":{"type":"chat","text":""}}}"#,
        #"{"rcvGroupFeature":{"groupFeature":"voice","preference":"on"}}"#, #"{"rcvModerated":null}"#,
        #"{"rcvDirectE2EEInfo":{}}"#, #"{"rcvMsgContent":{"msgContent":{"type":"text","text":"a"}}"#,
    ])
    func `a content that lacks a field is unreadable`(text: String) {
        let content = ItemContent(parsing: text)
        #expect(content.kind == nil && content.message == nil && content.event == nil)
        #expect(content.fields == JSONNode(parsing: text) ?? .null)
    }

    @Test func `an event that lacks a field is as one that is not known`() {
        let content = ItemContent(
            parsing: #"{"rcvGroupEvent":{"rcvGroupEvent":{"userRole":{"rank":"admin"}}}}"#)
        #expect(content.kind == .rcvGroupEvent)
        #expect(content.event == nil)
        #expect(content.fields["rcvGroupEvent"]?["userRole"]?["rank"]?.textValue == "admin")
        #expect(ItemContent(parsing: #"{"sndConnEvent":{}}"#).event == nil)
    }

    @Test func `words that are not known are kept`() {
        let call = ItemContent(parsing: #"{"sndCall":{"status":"holographic","duration":5,"more":[1.50]}}"#)
        #expect(call.kind == .sndCall)
        #expect(call.fields.jsonText == #"{"status":"holographic","duration":5,"more":[1.50]}"#)
        let event = ItemContent(
            parsing: #"{"rcvConnEvent":{"rcvConnEvent":{"switchQueue":{"phase":"thought of"}}}}"#)
        #expect(event.event?.fields["phase"]?.textValue == "thought of")
    }

    @Test(arguments: [
        (#"{"type":"voice","text":"","duration":7}"#, "voice message (00:07)"),
        (
            #"{"type":"voice","text":"x","duration":9223372036854775807}"#,
            "voice message (153722867280912930:07); x"
        ),
        (#"{"type":"voice","text":"","duration":-9223372036854775808}"#, "voice message (00:00)"),
        (#"{"type":"report","text":"","reason":"too loud"}"#, "report too loud"),
        (#"{"type":"image","text":"","image":""}"#, ""), (#"{"type":"poll"}"#, "unknown message type"),
        (#"{"type":"poll","text":5}"#, "unknown message type"),
    ])
    func `quotes and versions have a readable text`(text: String, readable: String) {
        #expect(MessageContent(parsing: text)?.readableText == readable)
    }

    @Test func `an empty preview is none, and a video link has a duration`() throws {
        #expect(MessageContent(parsing: #"{"type":"image","text":"","image":""}"#)?.image == nil)
        let text =
            #"{"type":"link","text":"","preview":{"uri":"u","title":"t","description":"","image":"","#
            + #""content":{"type":"video","duration":95}}}"#
        let link = try #require(MessageContent(parsing: text)?.link)
        #expect(link.image == nil && link.contentType == "video" && link.duration == 95)
    }

    @Test(
        arguments: [
            (#"{"displayName":"b","fullName":""}"#, .name), (#"{"displayName":"a","fullName":"A"}"#, .name),
            (#"{"displayName":"a","fullName":"","image":"i2"}"#, .pictureSet),
            (#"{"displayName":"a","fullName":""}"#, .pictureRemoved),
            (#"{"displayName":"a","fullName":"","image":""}"#, .pictureRemoved),
            (#"{"displayName":"a","fullName":"","image":"i","contactLink":"l"}"#, .addressRemoved),
            (#"{"displayName":"a","fullName":"","image":"i","contactLink":"m"}"#, .addressSet),
            (#"{"displayName":"a","fullName":"","image":"i","preferences":{}}"#, .updated),
        ] as [(String, ProfileChange)])
    func `the first difference of profiles counts`(text: String, change: ProfileChange) throws {
        let link = change == .addressRemoved ? #","contactLink":"l""# : ""
        let old = try #require(JSONNode(parsing: #"{"displayName":"a","fullName":"","image":"i"\#(link)}"#))
        let new = try #require(
            JSONNode(
                parsing: change == .addressRemoved ? text.replacing(#","contactLink":"l""#, with: "") : text))
        #expect(ItemContent.profileChange(from: old, to: new) == change)
    }

    @Test(arguments: AccountFixture.official)
    func `all items of the app's own core are read`(account: AccountFixture.Official) throws {
        let connection = try AccountFixture.open(account, "chat")
        var count = 0
        for row in try connection.rows("SELECT item_content, item_text, item_status FROM chat_items") {
            count += 1
            let text = try #require(row[0].text)
            let content = ItemContent(parsing: text)
            #expect(content.kind != nil, "\(text)")
            if content.kind?.eventField != nil { #expect(content.event != nil, "\(text)") }
            if let message = content.message { #expect(message.readableText == row[1].text, "\(text)") }
            if case .invalid(let status) = ItemStatus(parsing: try #require(row[2].text)) {
                Issue.record("\(status)")
            }
        }
        #expect(count > 80)
    }
}
