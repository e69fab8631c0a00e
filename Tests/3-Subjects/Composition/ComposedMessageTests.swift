import FaultInjection
import Testing
import ValiseChatSchema
import ValiseComposition
import ValiseEncoding
import ValiseMediaRules

/// What is handed to the chat program, and how large it is.
struct ComposedMessageTests {
    private static let policy = ComposeCase.policy

    // MARK: JSON

    @Test func `the commands are those of the API`() {
        func commands(_ events: [ComposeEvent], _ chat: ComposeChat = ComposeCase.group) -> [String] {
            OutgoingMessage.commands(ComposeCase.made(events).composedMessages(Self.policy), in: chat)
        }
        #expect(
            commands([.textChanged("hi \"you\"\n")])
                == [#"/_send #3 json [{"msgContent":{"type":"text","text":"hi \"you\"\n"},"mentions":{}}]"#])
        #expect(
            commands([
                .replied(ComposeCase.item(7)), .mediaPicked([ComposeCase.picture, ComposeCase.film]),
                .textChanged("x"),
            ])
                == [
                    #"/_send #3 json [{"fileSource":{"filePath":"p.jpg"},"msgContent":{"type":"image","text":"","#
                        + #""image":"data:image/jpg;base64,AA"},"mentions":{}},{"fileSource":{"filePath":"f.mp4"},"#
                        + #""quotedItemId":7,"msgContent":{"type":"video","text":"x","image":"data:image/jpg;base64,BB","#
                        + #""duration":4},"mentions":{}}]"#
                ])
        #expect(
            commands([.textChanged("@"), .mentionChosen(ComposeCase.kim, replacing: 0..<1)])
                == [#"/_send #3 json [{"msgContent":{"type":"text","text":"@kim "},"mentions":{"kim":31}}]"#])
        #expect(
            commands(
                [.edited(ComposeCase.item(5, "old", isSent: true)), .textChanged("new")],
                ComposeChat(.contact, id: 2))
                == [#"/_update item @2 5 json {"msgContent":{"type":"text","text":"new"},"mentions":{}}"#])
        #expect(
            commands(
                [
                    .forwarded(
                        [ComposeCase.item(1), ComposeCase.item(2)], from: ComposeChat(.contact, id: 4)),
                    .textChanged("see"),
                ],
                ComposeCase.notes)
                == [
                    "/_forward *1 @4 1,2",
                    #"/_send *1 json [{"msgContent":{"type":"text","text":"see"},"mentions":{}}]"#,
                ])
        #expect(
            commands([.reported(ComposeCase.item(7), reason: "spam"), .textChanged("ads")]) == [
                "/_report #3 7 reason=spam ads"
            ])
    }

    @Test func `times, live messages and talks with moderators are named`() {
        let live = ComposedMessage(content: .text("a"))
        #expect(
            OutgoingMessage.commands(
                [.new(live, isLive: true)], in: ComposeChat(.group, id: 3, scope: .member(8)), lifetime: 60)
                == [
                    #"/_send #3(_support:8) live=on ttl=60 json [{"msgContent":{"type":"text","text":"a"},"mentions":{}}]"#
                ])
        #expect(ComposeChat(.group, id: 3, scope: .own).reference == "#3(_support)")
    }

    @Test func `an encrypted file has its key with it`() {
        let file = ComposedFile(path: "a/b.bin", encryption: .init(key: "k", nonce: "n"))
        #expect(
            ComposedMessage(content: .file("t"), file: file).json
                == #"{"fileSource":{"filePath":"a/b.bin","cryptoArgs":{"fileKey":"k","fileNonce":"n"}},"#
                + #""msgContent":{"type":"file","text":"t"},"mentions":{}}"#)
        #expect(file.name == "b.bin")
    }

    @Test(arguments: [
        MessageContent.text("a"), .link("https://a.example", preview: ComposeCase.preview),
        .image("", preview: "data:,"),
        .video("v", preview: "data:,", seconds: 3), .voice("", seconds: 9), .file("f"),
        .report("r", reason: "spam"),
    ])
    func `contents are read again as they were made`(content: MessageContent) {
        #expect(MessageContent(parsing: content.json) == content)
    }

    // MARK: Sizes

    private static func state(_ text: String) -> ComposeState { ComposeCase.made([.textChanged(text)]) }

    /// Words that no compressor makes small.
    private static func noise(_ count: Int) -> String {
        var random = SeededGenerator(seed: 7)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    @Test func `the limit of the wire is exact`() throws {
        let empty = WireSize(of: .new(ComposedMessage(content: .text("")), isLive: false), answering: nil)
            .json
        let largest = MessageLimits.wireBytes - empty
        #expect(Self.state(String(repeating: "a", count: largest)).canSend(Self.policy))
        let refusals = Self.state(String(repeating: "a", count: largest + 1)).refusals(Self.policy)
        #expect(refusals == [.messageTooLarge(size: 15_603, limit: 15_602)])
        // A character of JSON may have two bytes, or six.
        #expect(!Self.state(String(repeating: "\"", count: largest / 2 + 1)).canSend(Self.policy))
        #expect(!Self.state(String(repeating: "\u{1}", count: largest / 6 + 1)).canSend(Self.policy))
    }

    @Test func `compressed messages have limits of their own`() {
        var policy = Self.policy
        policy.compresses = true
        #expect(Self.state(String(repeating: "word ", count: 12_000)).canSend(policy))
        #expect(!Self.state(String(repeating: "word ", count: 14_000)).canSend(policy))
        #expect(Self.state(Self.noise(13_000)).canSend(policy))
        // Base64 carries six bits in eight.
        #expect(Self.state(Self.noise(15_000)).canSend(policy))
        #expect(!Self.state(Self.noise(20_000)).canSend(policy))
        #expect(Self.state(Self.noise(200_000)).canSend(ComposePolicy(ComposeCase.notes)))
    }

    @Test func `a quoted picture counts with its name only`() {
        let preview = "data:image/jpg;base64," + Self.noise(13_900)
        let picture = ComposeItem(
            id: 7, content: .image("", preview: preview), isSent: false, time: 0,
            file: ComposedFile(path: "p.jpg"))
        let message = ComposedMessage(content: .image("", preview: preview), quote: .item(7))
        #expect(WireSize(of: .new(message, isLive: false), answering: picture).refusal(Self.policy) == nil)
    }

    // MARK: Splitting

    @Test func `a text that is too large is cut between sentences`() throws {
        let sentence = "This is a sentence of some words, and it has an end. "
        let text = String(repeating: sentence, count: 1_000)
        let state = ComposeCase.made([.replied(ComposeCase.item(7)), .textChanged(text)])
        #expect(!state.canSend(Self.policy))
        let messages = state.composedMessages(Self.policy, splits: true)
        #expect((4...5).contains(messages.count))
        var pieces: [String] = []
        for (number, message) in messages.enumerated() {
            guard case .new(let composed, _) = message else {
                Issue.record("not new")
                return
            }
            #expect(WireSize(of: message, answering: nil).refusal(Self.policy) == nil)
            #expect(composed.content.text.hasSuffix("an end.") && composed.content.text.hasPrefix("This"))
            #expect(composed.quote == (number == 0 ? .item(7) : nil))
            pieces.append(composed.content.text)
        }
        #expect(pieces.joined(separator: " ") + " " == text)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `pieces fit, and nothing is lost but white space`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "word", "Ende.", "wirklich?", "。", "文字。", "*bold words here*", "\n", "\n\n", "\"quoted.\"", "👩‍👩‍👧‍👦",
            "`code.  x`", Self.noise(400), "é", "#secret#", "@'a b'", "https://a.example/x.y?z", "مرحبا؟",
            "\u{202e}x",
        ]
        let text = (0..<Int.random(in: 1...4_000, using: &random))
            .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
        let messages = Self.state(text).composedMessages(Self.policy, splits: true)
        var all = ""
        for message in messages {
            #expect(WireSize(of: message, answering: nil).refusal(Self.policy) == nil, "seed \(seed)")
            if case .new(let composed, _) = message {
                #expect(messages.count == 1 || !composed.content.text.isEmpty, "seed \(seed)")
                all += composed.content.text
            }
        }
        func bare(_ text: String) -> [Unicode.Scalar] {
            text.unicodeScalars.filter { !$0.properties.isWhitespace }
        }
        #expect(bare(all) == bare(text), "seed \(seed)")
    }

    @Test func `a word that is too large is cut between characters`() {
        let text = String(repeating: "👩‍👩‍👧‍👦", count: 2_000)
        let messages = Self.state(text).composedMessages(Self.policy, splits: true)
        let pieces = messages.compactMap {
            if case .new(let message, _) = $0 { message.content.text } else { nil }
        }
        #expect(pieces.count > 1 && pieces.joined() == text)
        #expect(pieces.allSatisfy { $0.allSatisfy { $0 == "👩‍👩‍👧‍👦" } })
    }

    @Test func `a mention goes with its piece`() {
        let filler = String(repeating: "Some words. ", count: 1_400)
        var state = ComposeCase.made([.textChanged("@"), .mentionChosen(ComposeCase.kim, replacing: 0..<1)])
        state = ComposeState.reduce(state, .textChanged("@kim look. " + filler), Self.policy).state
        let mentions: [[String: Int64]] = state.composedMessages(Self.policy, splits: true).map { message in
            if case .new(let composed, _) = message { composed.mentions } else { [:] }
        }
        #expect(mentions == [["kim": 31], [:]])
    }
}
