import ValiseChatSchema
import ValiseMediaRules

/// What is typed, and the links in it.
extension ComposeReduction {
    mutating func change(_ text: String) {
        let clean = policy.sanitizesLinks ? LinkSanitizer.sanitize(text) : text
        if clean != text { add(.replaceText(clean, cursor: clean.utf8.count)) }
        state.message = clean
        dropUnusedMentions()
        guard state.allowsLinkPreview else {
            state.links = LinkMemory()
            return
        }
        if clean.isEmpty {
            state.links = LinkMemory()
            state.preview = .none
        } else {
            followLinks()
        }
    }

    /// Looks for the first link that counts, and waits for its preview while the user goes on typing.
    private mutating func followLinks() {
        let before = state.links.found
        let link = state.parsedMessage.firstWebLink(without: state.links.cancelled)
        state.links.found = link
        guard let link else {
            state.links.pending = nil
            state.links.shown = nil
            state.preview = .none
            return
        }
        guard link != state.links.shown, link != state.links.pending else { return }
        state.links.pending = link
        if link == before {
            loadPreview(of: link)
        } else {
            add(.waitForLink(link, seconds: MessageLimits.previewDelay))
        }
    }

    mutating func loadPreview(of link: String) {
        guard state.links.pending == link, state.allowsLinkPreview, state.links.shown != link else { return }
        switch state.linkPreviews {
        case .undecided: add(.askForLinkPreviews(link))
        case .disabled: break
        case .enabled:
            state.links.shown = link
            state.preview = .link(nil)
            add(.loadLinkPreview(link))
        }
    }

    mutating func choosePreviews(_ answer: LinkPreviewAnswer) {
        switch answer {
        case .enable:
            state.linkPreviews = .enabled
            if let link = state.links.pending { loadPreview(of: link) }
        case .disable:
            state.linkPreviews = .disabled
            state.links = LinkMemory()
            if state.preview.isLink { state.preview = .none }
        case .notNow: cancelPreview()
        }
    }

    mutating func showPreview(_ preview: MessageContent.LinkPreview, of link: String) {
        guard state.links.pending == link, state.preview.isLink else { return }
        if let image = preview.image, image.count > MessageLimits.previewCharacters {
            return refuse(.previewTooLong(image.count))
        }
        state.links.pending = nil
        state.preview = .link(preview)
    }

    mutating func failPreview(of link: String) {
        guard state.links.pending == link, state.preview.isLink else { return }
        add(.waitAfterLinkFailure(link, seconds: MessageLimits.previewFailureDelay))
    }

    mutating func forgetFailure(of link: String) {
        guard state.links.pending == link, state.preview.isLink else { return }
        state.links.pending = nil
        state.preview = .none
    }

    mutating func cancelPreview() {
        guard let link = state.links.pending ?? state.links.shown else { return }
        state.links.cancelled.insert(link)
        state.links.pending = nil
        state.links.shown = nil
        if state.preview.isLink { state.preview = .none }
    }

    // MARK: Mentions

    private mutating func dropUnusedMentions() {
        guard !state.mentions.isEmpty else { return }
        let names = Set(state.parsedMessage.mentionNames)
        state.mentions = state.mentions.filter { names.contains($0.key) }
    }

    /// - Parameter range: in bytes of the text: the `@` and what was typed of a name.
    mutating func mention(_ member: ComposeMember, replacing range: Range<Int>) {
        guard policy.mayMention(member) else { return refuse(.mentionNotAllowed) }
        let known = state.mentions.first { $0.value.id == member.id }
        guard known != nil || state.mentions.count < MessageLimits.mentions else {
            return refuse(.tooManyMentions)
        }
        guard let place = state.message.range(ofBytes: range) else { return refuse(.mentionNotAllowed) }
        let name = known?.key ?? MentionName.unused(member.name, in: state.mentions)
        guard let mention = MentionName.typed(name) else { return refuse(.mentionNotAllowed) }
        var text = state.message
        // What follows without a space would belong to the name.
        let isAlone = place.upperBound < text.endIndex && text[place.upperBound].isWhitespace
        let inserted = isAlone ? mention : mention + " "
        text.replaceSubrange(place, with: inserted)
        state.mentions[name] = member
        add(.replaceText(text, cursor: range.lowerBound + inserted.utf8.count))
        change(text)
    }
}

extension ComposePolicy {
    /// Whether a message in this chat may name a member.
    func mayMention(_ member: ComposeMember) -> Bool {
        guard chat.kind == .group, member.standing == .current else { return false }
        return switch chat.scope {
        case nil: true
        case .own: member.isModerator
        case .member(let id): member.isModerator || member.id == id
        }
    }

    /// The members that are offered for what is typed after `@`, by their names and the user's own for them.
    ///
    /// - Parameters:
    ///   - members: of the group.
    ///   - typed: what follows `@`; all are offered for nothing.
    public func mentionable(_ members: [ComposeMember], typed: String) -> [ComposeMember] {
        let part = typed.lowercased()
        return members.filter { member in
            mayMention(member)
                && (part.isEmpty || member.name.lowercased().contains(part)
                    || member.alias?.lowercased().contains(part) == true)
        }
    }
}

/// Names of members in a text.
enum MentionName {
    /// The name, or the name with a number that no other member has in this message.
    static func unused(_ name: String, in mentions: [String: ComposeMember]) -> String {
        guard mentions[name] != nil else { return name }
        return (1...).lazy.map { "\(name)_\($0)" }.first { mentions[$0] == nil } ?? name
    }

    /// With its `@`, and in quotes where it would end too early or be something else, such as `@name.example`; nil for a name
    /// that no text can have.
    static func typed(_ name: String) -> String? {
        ["@\(name)", "@'\(name)'"].first { FormattedText($0).parts == [.init($0, .mention(name))] }
    }
}

extension FormattedText {
    /// The names after `@`, in their order.
    var mentionNames: [String] {
        parts.compactMap { if case .mention(let name)? = $0.format { name } else { nil } }
    }

    /// The first address of the web with its scheme, other than these. Links of SimpleX do not count.
    func firstWebLink(without cancelled: Set<String>) -> String? {
        for part in parts {
            let address: String
            switch part.format {
            case .link?: address = part.text.hasScheme ? part.text : "https://\(part.text)"
            case .namedLink(_, let named)?: address = named
            default: continue
            }
            if !cancelled.contains(address) { return address }
        }
        return nil
    }
}

extension String {
    fileprivate var hasScheme: Bool { hasPrefix("http://") || hasPrefix("https://") }

    /// The place of bytes; nil where they are not in the text, or cut a character.
    fileprivate func range(ofBytes range: Range<Int>) -> Range<String.Index>? {
        guard range.lowerBound >= 0, range.upperBound <= utf8.count else { return nil }
        let start = utf8.index(startIndex, offsetBy: range.lowerBound)
        let end = utf8.index(startIndex, offsetBy: range.upperBound)
        guard start.samePosition(in: self) != nil, end.samePosition(in: self) != nil else { return nil }
        return start..<end
    }
}
