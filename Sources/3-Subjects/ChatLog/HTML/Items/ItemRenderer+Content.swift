import ValiseChatSchema
import ValiseEncoding

/// What an item says.
extension ItemRenderer {
    /// Writes the content; of a deleted item covered.
    mutating func content(of item: ConversationItem, quoted: String?) throws {
        guard let deletion = item.deletion else { return try parts(of: item, quoted: quoted) }
        html.markup("<details class=\"gone\"><summary>")
        html.text(Self.words(for: deletion.kind, item))
        if let by = deletion.by {
            html.markup(" by ")
            html.name(by.isSelf ? "you" : by.name)
        }
        if let time = deletion.time {
            html.markup(" <span class=\"time\">")
            html.line(time.value.map { clock.moment($0).full } ?? time.text)
            html.markup("</span>")
        }
        html.markup("</summary>")
        try parts(of: item, quoted: quoted)
        html.markup("</details>")
    }

    static func words(for deletion: ItemDeletion.Kind, _ item: ConversationItem) -> String {
        switch deletion {
        case .deleted: item.message?.type == "report" ? "archived report" : "deleted message"
        case .moderated: "removed"
        case .blocked: "blocked by you"
        case .blockedByAdministrator: "blocked by an administrator"
        }
    }

    private mutating func parts(of item: ConversationItem, quoted: String?) throws {
        if let forward = item.forward { self.forward(forward) }
        if let quote = item.quote { self.quote(quote, quoted) }
        guard let message = item.message else {
            withoutMessage(item)
            if let file = item.file { try self.file(file, nil) }
            return
        }
        if message.type == "report" { reason(of: message) }
        if let file = item.file {
            try self.file(file, message)
        } else if PreviewImage.address(message.image) != nil {
            preview(message.image, alternative: "preview")
        }
        if !message.text.isEmpty { text(message.text, mentions: item.mentions) }
        if let link = message.link { card(link) }
        if let link = message.chatLink { card(link) }
    }

    /// What is left of a removed message, or the readable text of what cannot be read otherwise.
    private mutating func withoutMessage(_ item: ConversationItem) {
        guard item.kind == .unreadable else {
            html.markup("<p class=\"t off\">")
            html.text(EventText.sentence(of: item))
            html.markup("</p>")
            return
        }
        html.markup("<p class=\"state\">unreadable item</p>")
        if !item.text.isEmpty { text(item.text, mentions: item.mentions) }
    }

    private mutating func reason(of message: MessageContent) {
        html.markup("<p class=\"report\">Report: <bdi>")
        html.line(message.reason ?? "no reason")
        html.markup("</bdi></p>")
    }

    // MARK: Where it comes from

    private mutating func forward(_ forward: ItemForward) {
        html.markup("<p class=\"f\">forwarded")
        if forward.wasSent == true {
            html.markup(", your own message")
        }
        if let name = forward.name {
            html.markup(" from ")
            html.name(name)
        }
        html.markup("</p>")
    }

    private mutating func quote(_ quote: ItemQuote, _ address: String?) {
        if let address {
            html.markup("<a class=\"q\" href=\"")
            html.text(address)
            html.markup("\">")
        } else {
            html.markup("<div class=\"q\">")
        }
        if let author = quote.author {
            html.markup("<span class=\"n \(AuthorColor.name(of: author))\">")
            html.name(author.isSelf ? "You" : author.name)
            html.markup("</span>")
        }
        preview(quote.content?.image, alternative: "quoted picture")
        html.markup("<span class=\"qt\" dir=\"auto\">")
        html.text(Self.beginning(of: quote.text))
        html.markup(address == nil ? "</span></div>" : "</span></a>")
    }

    /// Enough for three lines.
    private static func beginning(of text: String) -> String {
        let most = 240
        guard text.utf8.count > most else { return text }
        let beginning = text.prefix(most)
        return beginning.endIndex == text.endIndex ? text : "\(beginning)…"
    }

    /// A picture that the message carries.
    mutating func preview(_ address: String?, alternative: String) {
        guard let address = PreviewImage.address(address) else { return }
        html.markup("<img class=\"preview\" loading=\"lazy\" alt=\"\(alternative)\" src=\"")
        html.markup(address)
        html.markup("\"/>")
    }

    // MARK: Cards

    private mutating func card(_ link: MessageContent.LinkPreview) {
        let address = WebLink.address(link.uri)
        openCard(address)
        preview(link.image, alternative: "")
        line("ct", link.title)
        line("cd", link.description)
        line("ch", address == nil ? link.uri : String(WebLink.host(link.uri)))
        html.markup(address == nil ? "</div>" : "</a>")
    }

    private mutating func card(_ link: MessageContent.ChatLink) {
        let address = link.link.flatMap(WebLink.address)
        openCard(address)
        line("ct", link.name ?? "unnamed")
        line("cd", "SimpleX link: \(link.type)")
        html.markup(address == nil ? "</div>" : "</a>")
    }

    private mutating func openCard(_ address: String?) {
        guard let address else { return html.markup("<div class=\"card\">") }
        html.markup("<a class=\"card\" rel=\"noreferrer noopener\" href=\"")
        html.text(address)
        html.markup("\">")
    }

    private mutating func line(_ name: String, _ text: String) {
        guard !text.isEmpty else { return }
        html.markup("<span class=\"\(name)\" dir=\"auto\">")
        html.line(text)
        html.markup("</span>")
    }
}
