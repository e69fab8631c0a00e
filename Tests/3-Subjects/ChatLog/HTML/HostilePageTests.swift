import Testing

@testable import ValiseChatLog

/// Names and texts of others do nothing but be shown.
@Suite struct HostilePageTests {
    static let corpus = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "javascript:alert(1)", "[ok](javascript:alert(1))", "</title></head><body onload=alert(1)>",
        "{{title}} {{{content}}} {{> head}} {{=<% %>=}}", "\u{1}content\u{1}", "<!-- --> ]]> <![CDATA[",
        "&lt; &amp; &#60;", "a\u{0}b\u{7}\u{1B}[31m\u{7F}\u{9B}", "\u{202E}txt.exe\u{202C}",
        "\u{2067}open \u{2069}\u{2069}", "data:text/html,<script>alert(1)</script>", "../../../etc/passwd",
        "a\nb\r\nc", "\u{2028}\u{2029}\u{FEFF}", "https://example.org/\"><script>", "#secret <b>#",
        "\\\");alert(1);//",
        // Longer characters that contain a mark of HTML.
        "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "\u{600}\"\u{600}>\u{600}<b>",
        "<\u{338}b>\u{FE0F}&\u{200D}lt;",
    ]

    /// Everything that somebody else can name is the text.
    private static func source(_ text: String) -> MemorySource {
        let other = Participant(key: text, name: text)
        var full = ItemMaker(key: text, author: other, text: text)
        full.quote = ItemQuote(
            key: text, author: other, sentAt: ItemTime(text), content: nil, storedContent: nil, text: text)
        full.forward = ItemForward(kind: text, name: text, wasSent: true, conversation: text)
        full.reactions = [ItemReaction(emoji: text, authors: [other, .dana])]
        full.versions = ["one", text].map { ItemVersion(text: $0, time: ItemTime(text)) }
        full.mentions = [text: other]
        full.file = .named(text)
        var deleted = full
        deleted.key = "deleted"
        deleted.deletion = ItemDeletion(kind: .moderated, by: other, time: ItemTime(text))
        let unreadable = ItemMaker(key: "unreadable", author: other, time: text, text: text, content: text)
        let conversation = Conversation(
            key: text, kind: .group, user: 1, userName: text, name: text, localName: text, fullName: text,
            about: text, picture: text, hiding: nil, isMarkedUnread: false, items: 3, unread: 1, first: nil,
            last: nil)
        return MemorySource(content: [(conversation, [full.item, deleted.item, unreadable.item])])
    }

    @Test(arguments: corpus) func `nothing of a hostile text becomes markup`(text: String) throws {
        let sink = try Self.source(text).export(media: { _ in
            PageMedia(path: "media/\(text)", kind: .file, state: .present)
        })
        #expect(sink.pages.count == 4)
        for (path, page) in sink.pages {
            let markup = Markup(page)
            #expect(markup.defects == [], "\(path)")
            for element in markup.elements {
                #expect(!element.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" }, "\(path)")
            }
            for address in markup.values(of: "href") + markup.values(of: "src") {
                let scheme = address.prefix { $0 != ":" && $0 != "/" && $0 != "#" && $0 != "." }
                let isRelative = scheme.endIndex == address.endIndex || address[scheme.endIndex] != ":"
                let isKnown = ["http", "https", "mailto", "tel", "simplex"].contains(scheme.lowercased())
                #expect(isRelative || isKnown || address == "data:,", "\(path): \(address)")
            }
        }
        for (path, bytes) in sink.files where path.hasPrefix("search/") {
            let code = String(decoding: bytes, as: UTF8.self)
            #expect(!code.contains("<"), "\(path)")
            #expect(!code.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "\(path)")
        }
        #expect(sink.files.keys.allSatisfy { !$0.contains("..") && !$0.hasPrefix("/") })
    }

    @Test func `each page has a policy that lets nothing in, and no script of its own`() throws {
        let sink = try Self.source("text").export()
        for (path, page) in sink.pages {
            #expect(
                page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"), "\(path)")
            for part in page.split(separator: "<script").dropFirst() {
                #expect(part.hasPrefix(" src=\"") && part.contains("></script>"), "\(path)")
            }
            #expect(!page.contains("<style"), "\(path)")
        }
    }

    @Test func `marks that override a direction are words, and isolates stay in pairs`() {
        #expect(VisibleText.of("a\u{202E}b") == "a[RLO]b")
        #expect(VisibleText.of("\u{2068}Kim\u{2069}") == "\u{2068}Kim\u{2069}")
        #expect(VisibleText.of("\u{2069}Kim") == "[PDI]Kim")
        #expect(VisibleText.of("\u{2068}a\n\u{2069}") == "[FSI]a\n[PDI]")
        #expect(VisibleText.of("a\u{0}\tb\u{7F}") == "a\u{2400}\tb\u{2421}")
    }

    @Test func `only addresses of known schemes are linked`() {
        #expect(WebLink.address("https://example.org/ä \"") == "https://example.org/%C3%A4%20%22")
        #expect(WebLink.address("javascript:alert(1)") == nil)
        #expect(WebLink.address("data:text/html,x") == nil)
        #expect(WebLink.address("HTTPS://example.org") == "HTTPS://example.org")
        #expect(WebLink.path("media/a b#?é.png") == "media/a%20b%23%3F%C3%A9.png")
        #expect(WebLink.host("https://me@example.org:8080/x?y") == "example.org:8080")
    }

    @Test func `a preview is a picture in Base64 and no other document`() {
        #expect(PreviewImage.address("data:image/jpg;base64,AAAA") != nil)
        #expect(PreviewImage.address("data:image/svg+xml;base64,AAAA") == nil)
        #expect(PreviewImage.address("data:image/png;base64,AA\" onload=") == nil)
        for content in ["AA==constructor", "AAA==", "A", "AAAAA", "====", "AA="] {
            #expect(PreviewImage.address("data:image/png;base64,\(content)") == nil, "\(content)")
        }
        #expect(PreviewImage.address("data:image/png;base64,AAA") != nil)
        #expect(
            PreviewImage.address("data:image/png;base64," + String(repeating: "A", count: 200_000)) == nil)
        #expect(PreviewImage.address("https://example.org/a.png") == nil)
    }
}
