import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseChatSchema
import ValiseConcurrency
import ValiseDatabase
import ValiseFiles

@testable import ValiseChatLog

/// Marks in every place of conversations and items, and where they are afterwards.
struct RedactedSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static let marks: [ChatRedaction.Category: [String]] = [
        .names: [
            "qxcontact", "qxlocal", "qxfull", "qxabout", "qxgroup", "qxuser", "qxmember", "qxmentioned",
            "qxforward", "qxevent", "qxbefore", "qxreacted", "qxmoderator", "qxinvited", "qxbusiness",
            "cXhpZA",
        ],
        .phones: ["5550112"], .links: ["qxhost", "qxmail", "qxpage"],
        .media: ["qxfile", "cXhwaWN0dXJl", "qxquotedfile"],
    ]

    private static let texts =
        "to QXMEMBER, 'qxbefore' and @qxmentioned_1: +49 170 5550112, (https://qxhost.example/p), qxmail@mail.example"
    private static let picture = "data:image/png;base64,cXhwaWN0dXJl"
    private static let member = Participant(key: "cXhpZA==", name: "qxmember")

    private static func conversation(
        _ key: String, _ kind: Conversation.Kind, _ name: String, _ localName: String
    ) -> Conversation {
        Conversation(
            key: key, kind: kind, user: 1, userName: "qxuser", name: name, localName: localName,
            fullName: "qxfull \(key)", about: "qxabout", picture: picture, hiding: nil, isMarkedUnread: false,
            items: 0, unread: 0, first: nil, last: nil)
    }

    private static var items: [ConversationItem] {
        var whole = ItemMaker(key: "k1.cXhpZA==", author: member, text: texts)
        whole.quote = ItemQuote(
            key: "k0.cXhpZA==", author: Participant(key: "cXhpZA==", name: "qxmember"), sentAt: nil,
            content: MessageContent(
                parsing: #"{"type":"image","text":"qxquotedfile 1.jpg","image":"\#(picture)"}"#),
            storedContent: #"{"type":"image","text":"qxquotedfile 1.jpg","image":"\#(picture)"}"#,
            text: "qxquotedfile 1.jpg")
        whole.forward = ItemForward(kind: "group", name: "qxforward", wasSent: nil, conversation: nil)
        whole.reactions = [
            ItemReaction(emoji: "👍", authors: [Participant(key: "cXhpZA==", name: "qxreacted")])
        ]
        whole.versions = [ItemVersion(text: texts, time: ItemTime("2025-01-01 00:00:00"))]
        whole.mentions = ["qxmentioned_1": Participant(key: "cXhpZA==", name: "qxmentioned")]
        whole.deletion = ItemDeletion(
            kind: .moderated, by: Participant(key: "cXhpZA==", name: "qxmoderator"), time: nil)
        whole.file = .named("qxfile 1.jpg")
        whole.file?.exported = ExportedMedia(.present, path: "media/group-1/1-qxfile 1.jpg")
        var link = ItemMaker(key: "k2", type: "link", text: "qxpage.example")
        link.more =
            #","preview":{"uri":"https://qxpage.example","title":"qxpage","description":"","image":"\#(picture)"}"#
        var chat = ItemMaker(key: "k3", type: "chat", text: "simplex:/contact#/?v=2&smp=qxhost")
        chat.more =
            #","chatLink":{"type":"contact","connLink":"simplex:/contact#/?smp=qxhost","profile":"#
            + #"{"displayName":"qxinvited","fullName":"","image":"\#(picture)","contactLink":"https://qxhost.example"}}"#
        let profiles =
            #"{"fromProfile":{"displayName":"qxbefore","fullName":"","shortDescr":"qxabout","image":"\#(picture)"},"#
            + #""toProfile":{"displayName":"qxevent","fullName":"qxfull 3"}}"#
        let renamed = ItemMaker(
            key: "row-9", author: member, text: "updated profile",
            content: #"{"rcvGroupEvent":{"rcvGroupEvent":{"memberProfileUpdated":\#(profiles)}}}"#)
        let unknown = ItemMaker(
            key: "k5", text: texts,
            content: #"{"newThing":{"qxmember":[1,"qxevent \#(picture)","\#(picture)"],"url":"qxhost"}}"#)
        let broken = ItemMaker(key: "k6", text: "qxmember", content: "{ qxmember \(picture) qxhost 5550112")
        return [whole, link, chat, renamed, unknown, broken].map(\.item)
    }

    private static let source = MemorySource(content: [
        (conversation("contact-1", .contact, "qxcontact", "qxlocal_1"), items),
        (conversation("group-1", .group, "qxgroup: two", "qxgroup"), items),
        (conversation("support-1-7", .support, "qxgroup: two: qxmember", "qxgroup"), []),
        (conversation("group-2", .business, "qxbusiness", "qxbusiness"), items),
        (conversation("notes-1", .notes, "notes", "notes"), []),
    ])

    /// The bytes and the names of all files that an export has in all forms, as one text.
    private func export(_ redaction: ChatRedaction) throws -> String {
        let source = try RedactedSource(Self.source, redaction)
        let conversations = try source.conversations(includesHidden: true, damaged: { throw $0 })
        _ = try ConversationExport().run(
            source, conversations, to: folder.path, media: { file, _, _ in file.exported })
        let log = try ExportedLog(folder.path)
        #expect(log.redacted == redaction.words)
        _ = try ViewExport().run(
            log, log.conversations(includesHidden: true, damaged: { throw $0 }), ViewFormat.allCases,
            to: folder.path)
        return try Self.everything(in: folder.path).lowercased()
    }

    private static func everything(in folder: FilePath) throws -> String {
        var all = ""
        for entry in try FileSystem().list(folder) {
            let path = try folder.appending(#require(entry.name))
            all += "\(entry.name ?? "")\n"
            all +=
                entry.kind == .directory
                ? try everything(in: path)
                : String(decoding: try FileSystem().contents(of: path, limit: 1 << 24), as: UTF8.self)
        }
        return all
    }

    @Test func `everything redacted: no mark is anywhere`() throws {
        let all = try export(ChatRedaction(Set(ChatRedaction.Category.allCases)))
        for mark in Self.marks.values.joined() { #expect(!all.contains(mark.lowercased()), "\(mark)") }
        #expect(all.contains("person 1") && all.contains("group 1") && all.contains("file.jpg"))
    }

    @Test(arguments: ChatRedaction.Category.allCases) func `one category redacted: only its marks are gone`(
        category: ChatRedaction.Category
    ) throws {
        let all = try export(ChatRedaction([category]))
        for (other, marks) in Self.marks {
            for mark in marks {
                #expect(all.contains(mark.lowercased()) == (other != category), "\(category): \(mark)")
            }
        }
    }

    @Test func `a mention leads to the same member by the new name, and quotes to their items`() throws {
        let source = try RedactedSource(Self.source, ChatRedaction([.names]))
        var items: [ConversationItem] = []
        try source.forEachItem(
            of: Self.source.content[1].conversation, newest: nil, damaged: { throw $0 }, { items.append($0) })
        let whole = items[0]
        let mention = try #require(whole.mentions.first)
        #expect(mention.key == mention.value.name && whole.text.contains("@'\(mention.key)'"))
        #expect(mention.value.key == whole.author.key && whole.key.hasSuffix(".\(whole.author.key)"))
        #expect(whole.text == whole.message?.text && whole.content.kind == .rcvMsgContent)
        // Who has another name now is the same.
        #expect(EventText.sentence(of: items[3]) == "removed the profile picture")
        // The group, and the member within it.
        let talk = try source.conversations(includesHidden: true, damaged: { throw $0 })[2]
        #expect(talk.name.wholeMatch(of: /Group \d+: Person \d+/) != nil, "\(talk.name)")
    }

    @Test func `what an export redacts another time stays redacted`() throws {
        _ = try export(ChatRedaction([.names]))
        let again = try RedactedSource(ExportedLog(folder.path), ChatRedaction([.phones]))
        #expect(again.redacted == ["names", "phones"])
    }
}
