import ValiseChatSchema
import ValiseComposition
import ValiseFailures

/// A message while the events of one call make it.
struct MessageComposing {
    private let call: ComposeMessage
    private let found: FoundChat
    private let context: OperationContext
    private var state: ComposeState
    private var refusals: [ComposeRefusal] = []
    private var limits: [MessageLimitCheck] = []
    private var waveform: [Int]?

    init(_ call: ComposeMessage, _ found: FoundChat, _ context: OperationContext) {
        self.call = call
        self.found = found
        self.context = context
        state = ComposeState(linkPreviews: call.preview == nil ? .disabled : .enabled)
    }

    private var policy: ComposePolicy { found.chat.policy }

    mutating func run() async throws -> ComposedReport {
        if call.draft.restores { try await restoreDraft() }
        if let item = found.edited { try await take(.edited(item)) }
        if let item = found.replied { try await take(.replied(item)) }
        if let path = call.voice { try await attachVoice(path) }
        try await attach()
        if let text = call.text { try await take(.textChanged(text)) }
        for name in call.mentions { try await mention(name) }
        if call.draft.keeps, let drafts = found.drafts {
            try await context.blocking { [state, found] _ in
                try drafts.keep(state.draft, of: found.chat.conversation.key)
            }
            context.note(KeptDraftNote())
        }
        return report()
    }

    /// What an event makes of the message, with all that follows from it.
    private mutating func take(_ event: ComposeEvent) async throws {
        var events = [event]
        while !events.isEmpty {
            let result = ComposeState.reduce(state, events.removeFirst(), policy)
            state = result.state
            for effect in result.effects {
                switch effect {
                case .refuse(let refusal): refusals.append(refusal)
                // Nobody types any more.
                case .waitForLink(let link, _): events.append(.linkDelayPassed(link))
                case .waitAfterLinkFailure(let link, _): events.append(.linkFailurePassed(link))
                case .loadLinkPreview(let link): events.append(try await preview(of: link))
                default: break
                }
            }
        }
    }

    /// A page that cannot be had leaves the message without a preview.
    private func preview(of link: String) async throws -> ComposeEvent {
        guard let limits = call.preview else { return .linkPreviewFailed(link) }
        do {
            return .linkPreviewLoaded(
                link,
                try await LoadLinkPreview(link, limits: limits, pictures: call.pictures).run(in: context))
        } catch let error as any Failure where error.code != .interrupted {
            context.note(LeftOutPreviewNote(link, error))
            return .linkPreviewFailed(link)
        }
    }

    private mutating func restoreDraft() async throws {
        guard let drafts = found.drafts else { return }
        let key = found.chat.conversation.key
        guard let text = try await context.blocking({ _ in try drafts.draft(of: key) }) else {
            throw OperationError(
                .notFound, "no draft is kept of this chat", subject: call.input.selectors.first)
        }
        guard let draft = ComposeState(draft: text) else {
            throw OperationError(
                .newer, "the draft of this chat is of a newer version", subject: call.input.selectors.first,
                remedy: .updateProgram)
        }
        try await take(.draftRestored(draft))
    }

    // MARK: Attachments

    private mutating func attachVoice(_ path: FilePath) async throws {
        let voice = try await context.blocking { _ in try PreparedVoice(path) }
        if let note = voice.note { context.note(note) }
        waveform = voice.waveform
        limits.append(.voice(seconds: voice.seconds))
        try await take(.recordingStarted(voice.file))
        try await take(.recordingStopped(seconds: voice.seconds))
    }

    private mutating func attach() async throws {
        guard !call.attachments.isEmpty else { return }
        let preparing = AttachmentPreparing(
            folder: call.prepared, asFiles: call.attachesAsFiles, pictures: call.pictures)
        var media: [AttachedMedia] = []
        var files: [ComposedFile] = []
        for path in call.attachments {
            let prepared = try await context.blocking { progress in
                try preparing.prepare(path) { try progress(OperationProgress("preparing", unit: .items)) }
            }
            if let note = prepared.note { context.note(note) }
            limits += prepared.limits
            switch prepared.content {
            case .media(let medium): media.append(medium)
            case .file(let file): files.append(file)
            }
        }
        if !media.isEmpty { try await take(.mediaPicked(media)) }
        for file in files { try await take(.filePicked(file)) }
    }

    // MARK: Mentions

    private mutating func mention(_ name: String) async throws {
        let matches = found.chat.members.filter { $0.name == name || $0.alias == name }
        guard let member = matches.first(where: { $0.standing == .current }) ?? matches.first else {
            throw OperationError(.notFound, "no member of this chat has this name", subject: name)
        }
        guard matches.count(where: { $0.standing == .current }) < 2 else {
            throw OperationError(
                .invalid, "\(matches.count) members have this name; the alias of one of them would name it",
                subject: name)
        }
        guard let range = Self.place(of: name, in: state.message) else {
            throw OperationError(.invalid, "the text does not contain @\(name)", subject: name)
        }
        try await take(.mentionChosen(member, replacing: range))
    }

    /// Where `@name` or `@'name'` stands at the beginning of a word, in bytes.
    private static func place(of name: String, in text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        for typed in ["@'\(name)'", "@\(name)"] {
            let wanted = Array(typed.utf8)
            guard bytes.count >= wanted.count else { continue }
            for start in 0...bytes.count - wanted.count
            where bytes[start] == wanted[0] && bytes[start...].starts(with: wanted) {
                let isBegin =
                    start == 0 || [UInt8(ascii: " "), UInt8(ascii: "\n")].contains(bytes[start - 1])
                if isBegin { return start..<start + wanted.count }
            }
        }
        return nil
    }

    // MARK: The report

    private func report() -> ComposedReport {
        // Where an item cannot be edited, a new message is not what was asked for.
        let isWanted = if case .editing = state.context { true } else { found.edited == nil }
        let messages = isWanted ? state.composedMessages(policy, splits: call.splits) : []
        var refusals = refusals + state.refusals(policy)
        // Every part fits where the whole does not.
        if call.splits, messages.count > 1 {
            refusals.removeAll { if case .messageTooLarge = $0 { true } else { false } }
        }
        if state.isUnchangedEdit { refusals.append(.empty) }
        var unique: [ComposeRefusal] = []
        for refusal in refusals where !unique.contains(refusal) { unique.append(refusal) }
        // What was refused is why there is nothing.
        if unique.count > 1 { unique.removeAll { $0 == .empty } }
        let quoted: ComposeItem? = if case .quoted(let item) = state.context { item } else { nil }
        return ComposedReport(
            chat: found.chat, messages: messages, quoted: quoted, refusals: unique,
            limits: limits + [.mentions(state.mentions.count)], waveform: waveform)
    }
}

/// The message is the draft of its chat from now on.
package struct KeptDraftNote: OperationNote {
    package let text = "kept as the draft of this chat"
}

/// A page that a text links to has no preview.
package struct LeftOutPreviewNote: OperationNote {
    package let text: String

    init(_ link: String, _ error: any Failure) { text = "no preview of \(link): \(error.message)" }
}
