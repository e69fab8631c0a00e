import Testing
import ValiseChatSchema
import ValiseComposition

/// Messages that are kept and come back.
struct DraftTests {
    @Test(arguments: ComposeCase.states.map(\.key))
    func `a draft comes back as it was, but for what was under way`(name: String) throws {
        let events = try #require(ComposeCase.states.first { $0.key == name }?.value)
        let state = ComposeCase.made(events)
        let restored = try #require(ComposeState(draft: state.draft))
        if ["recording", "live", "livesent", "sending"].contains(name) {
            #expect(restored.message == state.message && restored.preview == state.preview)
            #expect(restored.live == nil && !restored.isSending && restored.recording != .recording)
        } else {
            #expect(restored == state)
        }
        #expect(ComposeState(draft: restored.draft) == restored)
    }

    @Test func `every part of a draft is kept`() throws {
        let member = ComposeMember(id: 4, name: "a b", alias: "c", standing: .gone, isModerator: true)
        let file = ComposedFile(
            path: "x/y", name: "z", size: 5, encryption: .init(key: "k", nonce: "n"), isTemporary: true)
        let item = ComposeItem(
            id: 1, content: .video("v", preview: "data:,", seconds: 3), isSent: true, time: 1_800_000_000.25,
            isLive: false,
            isForwarded: true, isDeleted: true, file: file, mentions: ["a b": member])
        let chat = ComposeChat(.group, id: 9, scope: .member(3))
        let state = ComposeCase.made([.forwarded([item, item], from: chat), .textChanged("\u{0}\u{202e}\"")])
        #expect(ComposeState(draft: state.draft) == state)
        let own = ComposeCase.made([.forwarded([item], from: ComposeChat(.group, id: 9, scope: .own))])
        #expect(ComposeState(draft: own.draft) == own)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"version":2,"text":"","previews":"enabled"}"#,
        #"{"version":1,"text":1,"previews":"enabled"}"#,
        #"{"version":1,"text":"","previews":"perhaps"}"#,
        #"{"version":1,"text":"","previews":"enabled","preview":{}}"#,
        #"{"version":1,"text":"","previews":"enabled","preview":{"media":[{}]}}"#,
        #"{"version":1,"text":"","previews":"enabled","context":{"reply":{"id":1}}}"#,
        #"{"version":1,"text":"","previews":"enabled","context":{"forward":[],"from":{"kind":"group","id":1}}}"#,
        #"{"version":1,"text":"","previews":"enabled","mentions":{"a":{}}}"#,
        #"{"version":1,"text":"","previews":"enabled","links":7}"#,
    ])
    func `what is no draft is refused`(text: String) {
        #expect(ComposeState(draft: text) == nil)
    }

    /// Every byte of a draft changed: never a trap, and what is read can be kept again.
    @Test func `a damaged draft is refused, or read`() throws {
        let state = ComposeCase.made([.replied(ComposeCase.item(7)), .mediaPicked([ComposeCase.film])])
        let bytes = Array(state.draft.utf8)
        for place in bytes.indices {
            for other: UInt8 in [0, 34, 44, 48, 57, 123, 125, 255] {
                var damaged = bytes
                damaged[place] = other
                if let read = ComposeState(draft: String(decoding: damaged, as: UTF8.self)) {
                    #expect(ComposeState(draft: read.draft) == read)
                }
            }
        }
    }
}
