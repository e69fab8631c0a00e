import FaultInjection
import Testing
import ValiseChatSchema
import ValiseComposition
import ValiseMediaRules

/// What holds for every message, whatever happened to it.
struct ComposePropertyTests {
    private static let steps = 60

    /// Messages after random events, with what happened last.
    private static func walk(
        seed: UInt64,
        _ check: (
            _ before: ComposeState, _ event: ComposeEvent, _ after: ComposeState,
            [ComposeEffect], ComposePolicy
        ) -> Void
    ) {
        var random = SeededGenerator(seed: seed)
        let events = ComposeCase.events.map(\.value)
        var policy = ComposeCase.policy
        var state = ComposeState(
            linkPreviews: [.undecided, .enabled, .disabled].randomElement(using: &random) ?? .enabled)
        for _ in 0..<steps {
            if Int.random(in: 0..<9, using: &random) == 0 {
                policy.allowsVoice.toggle()
                policy.canSend = Int.random(in: 0..<4, using: &random) > 0
                policy.allowsFiles = Bool.random(using: &random)
                policy.allowsSimplexLinks = Bool.random(using: &random)
                policy.sanitizesLinks = Bool.random(using: &random)
                policy.keepsDrafts = Bool.random(using: &random)
                policy.compresses = Bool.random(using: &random)
                policy.chat =
                    [ComposeCase.group, ComposeCase.notes, ComposeChat(.contact, id: 2)]
                    .randomElement(using: &random) ?? ComposeCase.group
            }
            guard let event = events.randomElement(using: &random) else { return }
            let (after, effects) = ComposeState.reduce(state, event, policy)
            check(state, event, after, effects, policy)
            state = after
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `what can be sent is something, and what is refused changes nothing`(seed: UInt64) {
        Self.walk(seed: seed) { before, event, after, effects, policy in
            if after.isSendEnabled, after.recording != .recording {
                #expect(!after.composedMessages(policy).isEmpty, "seed \(seed): \(event)")
            }
            if after.canSend(policy) {
                #expect(after.isSendEnabled && !after.isSending, "seed \(seed): \(event)")
            }
            if effects.count == 1, case .refuse = effects[0], event != .recordingRefused {
                #expect(before == after, "seed \(seed): \(event)")
            }
            // Everything of the message is what its text says.
            #expect(after.parsedMessage == FormattedText(after.message), "seed \(seed): \(event)")
            #expect(after.mentions.count <= MessageLimits.mentions, "seed \(seed): \(event)")
            #expect((after.recording == .none) || after.summary["preview"] != nil, "seed \(seed): \(event)")
            if event == .sent { #expect(!after.isSending, "seed \(seed)") }
        }
    }

    /// Files that were made for a message are sent, kept with a draft, or removed: none is forgotten.
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `no temporary file is forgotten`(seed: UInt64) {
        Self.walk(seed: seed) { before, event, after, effects, _ in
            let (old, new) = (Set(before.temporaryPaths), Set(after.temporaryPaths))
            let isKept =
                event == .sent
                || effects.contains { if case .saveDraft = $0 { true } else { false } }
                || effects.contains { if case .send = $0 { true } else { false } }
            if isKept { return }
            let deleted = Set(
                effects.compactMap { if case .deleteFile(let file) = $0 { file.path } else { nil } })
            #expect(old.subtracting(new) == deleted, "seed \(seed): \(event)")
        }
    }

    /// What begins and is given up at once.
    static let pairs: [(String, ComposeEvent, ComposeEvent)] = [
        ("reply", .replied(ComposeCase.item(7)), .contextRemoved),
        ("report", .reported(ComposeCase.item(7), reason: "spam"), .contextRemoved),
        ("media", .mediaPicked([ComposeCase.picture]), .attachmentRemoved),
        ("file", .filePicked(ComposeCase.document), .attachmentRemoved),
        ("voice", .recordingStarted(ComposeCase.voice), .voiceCancelled),
        ("live", .liveStarted, .liveCancelled),
        ("edit", .edited(ComposeCase.item(5, "old", isSent: true)), .contextRemoved),
        ("forward", .forwarded([ComposeCase.item(1)], from: ComposeCase.notes), .contextRemoved),
    ]

    @Test(arguments: pairs.map(\.0))
    func `what is begun and given up leaves an empty message as it was`(name: String) throws {
        let (_, begin, cancel) = try #require(Self.pairs.first { $0.0 == name })
        let before = ComposeCase.made([])
        let begun = ComposeState.reduce(before, begin, ComposeCase.policy).state
        #expect(begun != before)
        #expect(ComposeState.reduce(begun, cancel, ComposeCase.policy).state == before)
    }

    @Test(arguments: ["reply", "report", "media", "file"])
    func `these leave a typed text as it was, too`(name: String) throws {
        let (_, begin, cancel) = try #require(Self.pairs.first { $0.0 == name })
        let before = ComposeCase.made([.textChanged("a text")])
        let begun = ComposeState.reduce(before, begin, ComposeCase.policy).state
        #expect(begun != before)
        #expect(ComposeState.reduce(begun, cancel, ComposeCase.policy).state == before)
    }
}

extension ComposeState {
    fileprivate var temporaryPaths: [String] {
        let files: [ComposedFile?] =
            switch preview {
            case .media(let media): media.map(\.file)
            case .voice(let file, _), .file(let file): [file]
            case .none, .link, .chatLink: []
            }
        return files.compactMap(\.self).filter(\.isTemporary).map(\.path)
    }
}
