import ValiseChatSchema
import ValiseEncoding

/// What is below an item.
extension ItemRenderer {
    /// Writes the reactions.
    mutating func reactions(_ reactions: [ItemReaction]) {
        guard !reactions.isEmpty else { return }
        html.markup("<ul class=\"re\" aria-label=\"reactions\">")
        for reaction in reactions {
            let names = reaction.authors.map { $0.isSelf ? "You" : $0.name }.joined(separator: ", ")
            html.markup(reaction.includesSelf ? "<li class=\"own\" title=\"" : "<li title=\"")
            html.line(names)
            html.markup("\">")
            html.text(reaction.emoji)
            html.markup(" \(reaction.count)<span class=\"vh\"> by <bdi>")
            html.line(names)
            html.markup("</bdi></span></li>")
        }
        html.markup("</ul>")
    }

    /// Writes the marks and the time.
    mutating func footer(of item: ConversationItem, _ moment: PageClock.Moment?) {
        if item.versions.count > 1 { history(of: item) }
        html.markup("<p class=\"b\">")
        if item.isEdited, item.versions.count < 2 { mark("edited") }
        if item.isLive { mark("live") }
        if item.gone != nil { mark("no longer in the account") }
        if let lifetime = item.lifetime { timer(lifetime, item.deletesAt) }
        if item.signature == "verified" { mark("signed") }
        if item.usedProxy { mark("through a proxy") }
        time(item, moment)
        if item.isSent { status(of: item) }
        html.markup("</p>")
    }

    private mutating func mark(_ words: String) { html.markup("<span>\(words)</span> · ") }

    private mutating func timer(_ lifetime: Int64, _ end: ItemTime?) {
        html.markup("<span class=\"timer\"")
        if let end {
            html.markup(" title=\"deleted at ")
            html.line(end.value.map { clock.moment($0).full } ?? end.text)
            html.markup("\"")
        }
        html.markup(">disappears after \(TimeSpanText.words(lifetime))</span> · ")
    }

    /// All texts that it had; the last one is the one above.
    private mutating func history(of item: ConversationItem) {
        html.markup("<details class=\"hist\"><summary>")
        html.markup(item.isEdited ? "edited" : "written live")
        html.markup("</summary><ol>")
        for version in item.versions {
            html.markup("<li><span class=\"time\">")
            html.line(version.time.value.map { clock.moment($0).full } ?? version.time.text)
            html.markup("</span>")
            text(version.text, mentions: item.mentions)
            html.markup("</li>")
        }
        html.markup("</ol></details>")
    }

    // MARK: Status

    private mutating func status(of item: ConversationItem) {
        guard let text = item.status, let (sign, words) = Self.shown(ItemStatus(parsing: text)) else {
            return
        }
        html.markup(" <span class=\"tick\" role=\"img\" aria-label=\"\(words)\" title=\"\(words)")
        if !item.receipts.isEmpty {
            let statuses = item.receipts.map { MemberItemStatus(parsing: $0.status) }
            let received = statuses.count { $0.receipt != nil }
            html.markup(": \(received) of \(Count.text(statuses.count, "member"))")
        }
        html.markup("\">\(sign)</span>")
    }

    private static func shown(_ status: ItemStatus) -> (sign: String, words: String)? {
        switch status {
        case .sndNew: ("…", "not sent")
        case .sndSent(.partial): ("✓", "sent to some")
        case .sndSent(.complete): ("✓", "sent")
        case .sndRcvd(.ok, .partial): ("✓✓", "received by some")
        case .sndRcvd(.ok, .complete): ("✓✓", "received")
        case .sndRcvd(.badMsgHash, _): ("✓!", "received, with a wrong hash of the message before")
        case .sndErrorAuth, .sndError: ("✗", "not delivered")
        case .sndWarning: ("⚠", "not delivered yet")
        case .rcvNew, .rcvRead, .invalid: nil
        }
    }
}
