import ValiseEncoding

/// What templates can name.
enum PageValues {
    /// Nothing runs and nothing is loaded but what is in the folder of the export.
    private static let policy =
        "default-src 'none'; img-src 'self' data:; media-src 'self'; script-src 'self'; style-src 'self'; "
        + "base-uri 'none'; form-action "

    /// The same for pages that a server gives: they may ask it for the bytes of a voice message, to draw its waveform, and
    /// search by it.
    static let policyOfServed = policy + "'self'; connect-src 'self'"

    /// What all pages have.
    static func common(_ options: HTMLOptions, root: String, title: String) -> [String: Any] {
        [
            "root": root, "title": line(title), "pageTitle": "\(line(title)) – \(line(options.title))",
            "exportTitle": line(options.title), "hasSearch": options.hasSearch,
            "policy": options.isServed ? policyOfServed : policy + "'none'",
        ]
    }

    /// What pages about a conversation have.
    static func of(_ conversation: Conversation) -> [String: Any] {
        var values: [String: Any] = [
            "name": line(conversation.name), "kind": word(for: conversation.kind),
            "unread": conversation.unread > 0 ? ["\(conversation.unread)"] : [String](),
            "hidden": conversation.hiding.map { [words(for: $0)] } ?? [],
        ]
        if let name = conversation.fullName { values["fullName"] = [line(name)] }
        if let about = conversation.about { values["about"] = [VisibleText.of(about)] }
        if let picture = PreviewImage.address(conversation.picture) { values["picture"] = [picture] }
        return values
    }

    /// A text of somebody in one line.
    static func line(_ text: String) -> String {
        let visible = VisibleText.of(text).replacing("\n", with: " ")
        return visible.isEmpty ? "unnamed" : visible
    }

    /// A kind for people.
    static func word(for kind: Conversation.Kind) -> String {
        switch kind {
        case .contact: "contact"
        case .group: "group"
        case .business: "business chat"
        case .channel: "channel"
        case .support: "chat with administrators"
        case .notes: "private notes"
        }
    }

    private static func words(for hiding: Conversation.Hiding) -> String {
        switch hiding {
        case .contactDeleted: "contact deleted"
        case .conversationDeleted: "conversation deleted"
        case .unused: "never used"
        case .incomplete: "never completed"
        case .request: "message request"
        case .hiddenProfile: "hidden profile"
        }
    }
}
