import ValiseChatSchema

/// Texts with their formats.
extension ItemRenderer {
    /// Writes a text of a message.
    mutating func text(_ text: String, mentions: [String: Participant]) {
        html.markup("<div class=\"t\" dir=\"auto\">")
        for part in FormattedText(text).parts { self.part(part, mentions) }
        html.markup("</div>")
    }

    private mutating func part(_ part: FormattedText.Part, _ mentions: [String: Participant]) {
        switch part.format {
        case nil: html.text(part.text)
        case .bold: wrapped("strong", part.text)
        case .italic: wrapped("em", part.text)
        case .strikethrough: wrapped("s", part.text)
        case .code: wrapped("code", part.text)
        case .small: wrapped("small", part.text)
        case .secret: secret(part.text)
        case .colored(let color): styled(color.rawValue, part.text)
        case .simplexName: styled("sx", part.text)
        case .command: wrapped("code", part.text)
        case .mention(let name): mention(mentions[name], part.text)
        case .link: link(WebLink.web(part.text), part.text)
        case .namedLink(let name, let address): link(WebLink.web(address), name, title: address)
        case .simplexLink(let name, let address):
            link(WebLink.address(address), name ?? part.text, title: name == nil ? nil : address)
        case .email: link(WebLink.address("mailto:\(part.text)"), part.text)
        case .phone: link(WebLink.telephone(part.text), part.text)
        }
    }

    private mutating func wrapped(_ element: String, _ text: String) {
        html.markup("<\(element)>")
        html.text(text)
        html.markup("</\(element)>")
    }

    private mutating func styled(_ name: String, _ text: String) {
        html.markup("<span class=\"\(name)\">")
        html.text(text)
        html.markup("</span>")
    }

    private mutating func secret(_ text: String) {
        html.markup("<button type=\"button\" class=\"secret\" aria-expanded=\"false\"><span class=\"vh\">")
        html.markup("secret text</span><span class=\"st\">")
        html.text(text)
        html.markup("</span></button>")
    }

    private mutating func mention(_ member: Participant?, _ text: String) {
        guard let member else { return html.text(text) }
        html.markup("<strong class=\"at \(AuthorColor.name(of: member))\" title=\"")
        html.line(member.name)
        html.markup("\">")
        html.text(text)
        html.markup("</strong>")
    }

    /// What may not be linked is text.
    private mutating func link(_ address: String?, _ text: String, title: String? = nil) {
        guard let address else { return html.text(text) }
        html.markup("<a rel=\"noreferrer noopener\" href=\"")
        html.text(address)
        if let title {
            html.markup("\" title=\"")
            html.line(title)
        }
        html.markup("\">")
        html.text(text)
        html.markup("</a>")
    }
}
