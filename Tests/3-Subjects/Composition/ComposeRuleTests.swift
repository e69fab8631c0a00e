import Testing
import ValiseChatSchema
import ValiseComposition
import ValiseMediaRules

/// What a table of one policy does not show: limits, preferences, links, live messages.
struct ComposeRuleTests {
    private func reduce(
        _ state: ComposeState, _ event: ComposeEvent, _ policy: ComposePolicy = ComposeCase.policy
    ) -> (state: ComposeState, effects: [ComposeEffect]) { ComposeState.reduce(state, event, policy) }

    // MARK: Links

    @Test func `a link that is cancelled stays so, and the next one gets a preview`() {
        var state = ComposeCase.made([
            .textChanged("https://a.example/x"), .linkDelayPassed("https://a.example/x"),
        ])
        state = reduce(state, .linkPreviewCancelled).state
        state = reduce(state, .textChanged("https://a.example/x ")).state
        #expect(state.links.pending == nil && state.preview.isNone)
        let (next, effects) = reduce(state, .textChanged("https://b.example/y"))
        #expect(next.links.pending == "https://b.example/y")
        #expect(effects == [.waitForLink("https://b.example/y", seconds: 1.5)])
        // It is forgotten when the message is sent.
        let sent = reduce(reduce(next, .sendPressed).state, .sent).state
        #expect(
            reduce(sent, .textChanged("https://a.example/x")).state.links.pending == "https://a.example/x")
    }

    @Test func `the first time somebody is asked, and may say not now`() {
        var state = ComposeState()
        state = reduce(state, .textChanged("https://a.example/x")).state
        let (asked, effects) = reduce(state, .linkDelayPassed("https://a.example/x"))
        #expect(effects == [.askForLinkPreviews("https://a.example/x")])
        #expect(reduce(asked, .linkPreviewsChosen(.notNow)).state.links.cancelled == ["https://a.example/x"])
        let enabled = reduce(asked, .linkPreviewsChosen(.enable))
        #expect(enabled.effects == [.loadLinkPreview("https://a.example/x")])
        #expect(enabled.state.linkPreviews == .enabled)
        #expect(reduce(asked, .linkPreviewsChosen(.disable)).state.linkPreviews == .disabled)
    }

    @Test(arguments: [
        ("example.com", "https://example.com"), ("[a](https://b.example/c)", "https://b.example/c"),
        ("simplex:/a#abcdef https://c.example", "https://c.example"),
    ])
    func `the first address of the web counts`(text: String, link: String) {
        #expect(ComposeCase.made([.textChanged(text)]).links.pending == link)
    }

    @Test func `a link that is no longer the first one is sent as text`() {
        let state = ComposeCase.made([
            .textChanged("https://a.example/x"), .linkDelayPassed("https://a.example/x"),
            .linkPreviewLoaded("https://a.example/x", ComposeCase.preview),
            .textChanged("https://b.example https://a.example/x "),
        ])
        #expect(state.composedMessages(ComposeCase.policy).map(\.contentType) == ["text"])
    }

    @Test(arguments: [
        ("https://a.example/x?utm_source=y&id=4#p", "https://a.example/x?id=4#p"),
        ("see https://a.example/?fbclid=1 !red now!", "see https://a.example/ !red now!"),
        ("[it](https://a.example/?gclid=2&a=)", "[it](https://a.example/?a=)"),
        ("https://a.example/?a=1&b=utm_source", "https://a.example/?a=1&b=utm_source"),
        ("what? utm_source=1", "what? utm_source=1"),
    ])
    func `what follows a user is cut off links`(text: String, clean: String) {
        var policy = ComposeCase.policy
        policy.sanitizesLinks = true
        let (state, effects) = reduce(ComposeCase.made([]), .textChanged(text), policy)
        #expect(state.message == clean)
        #expect(effects.contains { if case .replaceText = $0 { true } else { false } } == (text != clean))
    }

    // MARK: Mentions

    @Test func `two members of one name are told apart, and one keeps its name`() {
        let other = ComposeMember(id: 32, name: "kim")
        var state = ComposeCase.made([.textChanged("@"), .mentionChosen(ComposeCase.kim, replacing: 0..<1)])
        state = reduce(state, .textChanged("@kim and @")).state
        state = reduce(state, .mentionChosen(other, replacing: 9..<10)).state
        #expect(state.message == "@kim and @kim_1 ")
        #expect(state.mentions.mapValues(\.id) == ["kim": 31, "kim_1": 32])
        state = reduce(state, .textChanged("@kim and @kim_1 and @")).state
        state = reduce(state, .mentionChosen(ComposeCase.kim, replacing: 20..<21)).state
        #expect(state.message == "@kim and @kim_1 and @kim ")
        #expect(state.mentions.count == 2)
    }

    @Test(arguments: [("Ann Lee", "@'Ann Lee' "), ("Dr.", "@'Dr.' "), ("héé", "@héé "), ("a.b", "@'a.b' ")])
    func `names that would end too early are quoted`(name: String, text: String) {
        let member = ComposeMember(id: 5, name: name)
        let state = ComposeCase.made([.textChanged("@"), .mentionChosen(member, replacing: 0..<1)])
        #expect(state.message == text)
        #expect(state.mentions.keys.sorted() == [name])
    }

    @Test func `the fourth member is refused`() {
        var state = ComposeCase.made([])
        for number in 1...3 {
            let end = state.message.utf8.count
            state =
                reduce(
                    state,
                    .mentionChosen(ComposeMember(id: Int64(number), name: "m\(number)"), replacing: end..<end)
                )
                .state
        }
        #expect(state.mentions.count == 3)
        let end = state.message.utf8.count
        let (after, effects) = reduce(
            state, .mentionChosen(ComposeMember(id: 4, name: "m4"), replacing: end..<end))
        #expect(after == state && effects == [.refuse(.tooManyMentions)])
    }

    @Test func `who is offered depends on the talk`() {
        let members = [
            ComposeMember(id: 1, name: "Ann", alias: "boss", isModerator: true),
            ComposeMember(id: 2, name: "Bob"),
            ComposeMember(id: 3, name: "Cy", standing: .gone),
            ComposeMember(id: 4, name: "Di", standing: .invited),
        ]
        func offered(_ chat: ComposeChat, _ typed: String = "") -> [Int64] {
            ComposePolicy(chat).mentionable(members, typed: typed).map(\.id)
        }
        #expect(offered(ComposeCase.group) == [1, 2])
        #expect(offered(ComposeCase.group, "BO") == [1, 2])
        #expect(offered(ComposeCase.group, "bob") == [2])
        #expect(offered(ComposeChat(.group, id: 3, scope: .own)) == [1])
        #expect(offered(ComposeChat(.group, id: 3, scope: .member(2))) == [1, 2])
        #expect(offered(ComposeChat(.contact, id: 1)).isEmpty)
        #expect(offered(ComposeCase.notes).isEmpty)
    }

    @Test(arguments: [-1..<1, 0..<9, 1..<2])
    func `a range that is not in the text is refused`(range: Range<Int>) {
        let state = ComposeCase.made([.textChanged("é")])
        let (after, effects) = reduce(state, .mentionChosen(ComposeCase.kim, replacing: range))
        #expect(after == state && effects == [.refuse(.mentionNotAllowed)])
    }

    // MARK: Live messages

    @Test(arguments: [("ab cd", "ab "), ("ab ", "ab "), ("héé-x", "héé-"), ("", ""), ("word", "")])
    func `a live message goes out at whole words`(text: String, sent: String) {
        var state = ComposeCase.made([.textChanged("."), .liveStarted, .liveSent(item: 9)])
        state = reduce(state, .textChanged(text)).state
        let (after, effects) = reduce(state, .liveTicked)
        #expect(after.live?.sent == sent)
        #expect(effects.count == 1)
        // Whoever stopped typing has finished the word.
        #expect(reduce(after, .liveTicked).state.live?.sent == text)
    }

    @Test func `an empty live message sends nothing until a word is there`() {
        var state = ComposeCase.made([.liveStarted])
        #expect(reduce(state, .liveTicked).effects.isEmpty)
        state = reduce(state, .textChanged("wor")).state
        let (first, none) = reduce(state, .liveTicked)
        #expect(none.isEmpty)
        let (sent, effects) = reduce(first, .liveTicked)
        #expect(effects.first.map { if case .send = $0 { true } else { false } } == true)
        #expect(sent.isSending && !reduce(sent, .liveSent(item: 4)).state.isSending)
    }

    @Test func `a live message is explained first`() {
        var policy = ComposeCase.policy
        policy.hasExplainedLive = false
        let (state, effects) = reduce(ComposeCase.made([]), .liveStarted, policy)
        #expect(state.live == nil && effects == [.explainLive])
    }

    // MARK: What the chat allows

    @Test func `what is not allowed is not sent, and says why`() {
        var policy = ComposeCase.policy
        policy.allowsFiles = false
        policy.allowsSimplexLinks = false
        policy.allowsVoice = false
        #expect(ComposeCase.made([.filePicked(ComposeCase.document)]).refusals(policy) == [.fileNotAllowed])
        #expect(ComposeCase.made([.mediaPicked([ComposeCase.picture])]).refusals(policy) == [.fileNotAllowed])
        #expect(
            ComposeCase.made([.textChanged("simplex:/a#abcdef")]).refusals(policy) == [.simplexLinkNotAllowed]
        )
        #expect(
            reduce(ComposeCase.made([]), .recordingStarted(ComposeCase.voice), policy).effects == [
                .refuse(.voiceNotAllowed)
            ])
        let voice = ComposeCase.made([.recordingStarted(ComposeCase.voice), .recordingStopped(seconds: 2)])
        #expect(voice.refusals(policy) == [.voiceNotAllowed])
        #expect(reduce(voice, .policyChanged, policy).effects == [.deleteFile(ComposeCase.voice)])
        // Moderators are shown everything.
        policy.chat = ComposeChat(.group, id: 3, scope: .own)
        #expect(ComposeCase.made([.filePicked(ComposeCase.document)]).canSend(policy))
        #expect(ComposeCase.made([.textChanged("simplex:/a#abcdef")]).canSend(policy))
        policy.canSend = false
        #expect(ComposeCase.made([.textChanged("hi")]).refusals(policy) == [.chatClosed])
        #expect(
            reduce(ComposeCase.made([.textChanged("hi")]), .policyChanged, policy).effects == [.clearDraft])
    }

    @Test func `preferences and roles make the policy`() {
        let features: [String: ComposePolicy.Feature] = [
            "voice": .init(isOn: false), "files": .init(isOn: true, role: .admin),
            "timedMessages": .init(isOn: true),
        ]
        let member = ComposePolicy.group(ComposeCase.group, features: features, role: .member)
        #expect(!member.allowsVoice && !member.allowsFiles && member.allowsTimed && member.allowsSimplexLinks)
        #expect(ComposePolicy.group(ComposeCase.group, features: features, role: .owner).allowsFiles)
        #expect(!ComposePolicy.group(ComposeCase.group, features: [:], role: .observer).canSend)
        let contact = ComposePolicy.contact(ComposeChat(.contact, id: 1), enabled: ["voice"])
        #expect(contact.allowsVoice && !contact.allowsFiles && !contact.allowsTimed && !contact.allowsReports)
    }

    @Test func `the menus offer what is possible`() {
        let text = ComposeCase.made([.textChanged("hi")])
        #expect(text.lifetimes(ComposeCase.policy) == [30, 60, 300])
        #expect(text.lifetimes(ComposePolicy(ComposeCase.group)).isEmpty)
        #expect(ComposeCase.made([.liveStarted]).lifetimes(ComposeCase.policy).isEmpty)
        #expect(ComposeCase.made([]).offersVoice && !text.offersVoice)
        #expect(!text.offersLive(ComposePolicy(ComposeCase.notes)) && text.offersLive(ComposeCase.policy))
    }

    // MARK: Editing

    @Test(arguments: [
        (ComposeCase.item(1), "notOwn"),
        (ComposeItem(id: 1, content: .text("a"), isSent: true, time: ComposeCase.now - 86_401), "tooOld"),
        (
            ComposeItem(id: 1, content: .text("a"), isSent: true, time: ComposeCase.now, isForwarded: true),
            "forwarded"
        ),
        (
            ComposeItem(id: 1, content: .text("a"), isSent: true, time: ComposeCase.now, isDeleted: true),
            "deleted"
        ),
        (ComposeItem(id: 1, content: .text("a"), isSent: true, time: ComposeCase.now, isLive: true), "live"),
        (ComposeItem(id: 1, content: .voice("", seconds: 2), isSent: true, time: ComposeCase.now), "voice"),
    ])
    func `what cannot be edited says why`(item: ComposeItem, reason: String) {
        let refusal = item.editingRefusal(ComposeCase.policy)
        #expect(refusal.map { "\($0)" } == reason)
        #expect(reduce(ComposeCase.made([]), .edited(item)).state == ComposeCase.made([]))
    }

    @Test func `notes are edited for ever`() {
        let old = ComposeItem(id: 1, content: .text("a"), isSent: true, time: 0, isForwarded: true)
        #expect(old.editingRefusal(ComposePolicy(ComposeCase.notes)) == nil)
    }

    @Test func `an edited picture keeps its kind and its media`() throws {
        let item = ComposeItem(
            id: 5, content: .image("old", preview: "data:image/jpg;base64,AA"), isSent: true,
            time: ComposeCase.now)
        let state = ComposeCase.made([.edited(item), .textChanged("new")])
        #expect(
            state.composedMessages(ComposeCase.policy)
                == [
                    .update(
                        UpdatedMessage(item: 5, content: .image("new", preview: "data:image/jpg;base64,AA")),
                        isLive: false)
                ])
    }

    @Test(arguments: [" see a.example ", "no link at all", "https://a.example/x"])
    func `a link that is edited keeps its preview while the text names it`(text: String) {
        let item = ComposeItem(
            id: 5, content: .link(text, preview: ComposeCase.preview), isSent: true, time: ComposeCase.now)
        let state = ComposeCase.made([.edited(item)])
        #expect(state.isUnchangedEdit)
        let changed = ComposeCase.made([.edited(item), .textChanged(text + " ok")])
        let isNamed = text.contains("a.example")
        #expect(
            changed.composedMessages(ComposeCase.policy).map(\.contentType) == [isNamed ? "link" : "text"])
        let other = ComposeCase.made([.edited(item), .textChanged("https://b.example")])
        #expect(other.composedMessages(ComposeCase.policy).map(\.contentType) == ["text"])
    }

    @Test func `the link at the end of an invitation is not edited`() throws {
        let content = try #require(
            MessageContent(
                parsing: """
                    {"type":"chat","text":"join us\\nsimplex:/g#x","chatLink":{"type":"group","connLink":"simplex:/g#x",\
                    "groupProfile":{"displayName":"g","fullName":""}},"ownerSig":{"chatBinding":"b","ownerSig":"s"}}
                    """))
        let item = ComposeItem(id: 5, content: content, isSent: true, time: ComposeCase.now)
        let state = ComposeCase.made([.edited(item)])
        #expect(state.message == "join us")
        #expect(state.isUnchangedEdit)
        let changed = reduce(state, .textChanged("come")).state.composedMessages(ComposeCase.policy)
        guard case .update(let message, _)? = changed.first else {
            Issue.record("no update")
            return
        }
        #expect(message.content.text == "come\nsimplex:/g#x")
        #expect(message.content.json.contains("\"ownerSig\":{\"chatBinding\":\"b\",\"ownerSig\":\"s\"}"))
    }

    // MARK: Texts

    @Test func `every refusal is one sentence of its own`() {
        let refusals: [ComposeRefusal] = [
            .empty, .sending, .recording, .chatClosed, .reportWithoutText, .voiceNotAllowed, .fileNotAllowed,
            .simplexLinkNotAllowed, .reportNotAllowed, .reportOfOwn, .tooManyMentions, .mentionNotAllowed,
            .tooManyMedia(11), .fileTooLarge(name: "a", size: 2_000_000_000, limit: 1_073_741_824),
            .previewTooLong(15_000),
            .messageTooLarge(size: 16_000, limit: 15_602), .attachment(.editing), .attachment(.forwarding),
            .attachment(.live), .attachment(.reporting), .attachment(.attached), .notRemovable,
            .voiceNotOffered,
            .notEditable(.notOwn), .notEditable(.tooOld), .notEditable(.forwarded), .notEditable(.deleted),
            .notEditable(.voice), .notEditable(.live), .notEditable(.unknown), .live(.notes),
            .live(.alreadyLive),
            .live(.context), .live(.attached), .live(.sent), .microphone,
        ]
        #expect(Set(refusals.map(\.text)).count == refusals.count)
        #expect(refusals.allSatisfy { !$0.text.isEmpty && !$0.text.contains("\n") })
    }
}

extension OutgoingMessage {
    var contentType: String {
        switch self {
        case .new(let message, _): message.content.type
        case .update(let message, _): message.content.type
        case .forward: "forward"
        case .report: "report"
        }
    }
}
