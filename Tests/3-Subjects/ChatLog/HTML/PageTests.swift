import Testing
import ValiseEncoding

@testable import ValiseChatLog

/// What pages show.
@Suite struct PageTests {
    private static func page(_ maker: ItemMaker, media: PageMedia? = nil) throws -> String {
        let source = MemorySource(content: [(.made("group-1"), [maker.item])])
        return try source.export(media: { _ in media }).text("pages/group-1/2025-03.html")
    }

    @Test func `an index, a list and a page have all that they refer to`() throws {
        let sink = try MemorySource(
            content: [
                (.made("group-1"), [ItemMaker(text: "hello").item]), (.made("contact-2", .contact), []),
            ]
        ).export()
        #expect(sink.twice == [])
        #expect(
            Set(sink.pages.keys) == [
                "index.html", "search.html", "pages/group-1/index.html", "pages/group-1/2025-03.html",
                "pages/contact-2/index.html", "pages/contact-2/empty.html",
            ])
        for (path, page) in sink.pages {
            let folder = path.split(separator: "/").dropLast()
            let markup = Markup(page)
            #expect(markup.defects == [], "\(path)")
            for address in markup.values(of: "href") + markup.values(of: "src")
            where !address.hasPrefix("#") && !address.hasPrefix("data:") {
                var parts = Array(folder)
                for part in address.split(separator: "/") {
                    if part == ".." { parts.removeLast() } else { parts.append(part) }
                }
                #expect(sink.files[parts.joined(separator: "/")] != nil, "\(path): \(address)")
            }
        }
    }

    @Test func `formats become elements`() throws {
        var maker = ItemMaker(text: "*a* _b_ ~c~ `d` #secret x# !1 red! @kim me@example.org")
        maker.mentions = ["kim": .kim]
        let page = try Self.page(maker)
        for part in [
            "<strong>a</strong>", "<em>b</em>", "<s>c</s>", "<code>d</code>",
            "<span class=\"st\">secret x</span>",
            "<span class=\"red\">red</span>", "<strong class=\"at ", "href=\"mailto:me@example.org\"",
        ] {
            #expect(page.contains(part), "\(part)")
        }
    }

    @Test func `deleted messages are covered, with who removed them`() throws {
        var maker = ItemMaker(text: "regretted")
        maker.deletion = ItemDeletion(kind: .moderated, by: .dana, time: nil)
        let page = try Self.page(maker)
        #expect(page.contains("<summary>removed by <bdi>you</bdi></summary>"))
        #expect(page.contains("regretted"))
    }

    @Test func `an edited message has its history, and a reaction who it is from`() throws {
        var maker = ItemMaker(text: "second")
        maker.versions = ["first", "second"].map {
            ItemVersion(text: $0, time: ItemTime("2025-03-01 10:00:00"))
        }
        maker.reactions = [ItemReaction(emoji: "👍", authors: [.kim, .dana])]
        let page = try Self.page(maker)
        #expect(page.contains("<details class=\"hist\"><summary>edited</summary>"))
        #expect(page.contains(">first</div>"))
        #expect(page.contains("<li class=\"own\" title=\"Kim, You\">👍 2"))
    }

    @Test(arguments: [
        (PageMedia.Kind.picture, "<a class=\"pic\" href=\"../../media/a%20b\">"),
        (.video, "<video controls=\"\" preload=\"none\" src=\"../../media/a%20b\""),
        (.voice, "<audio controls=\"\" preload=\"none\" src=\"../../media/a%20b\""),
        (.file, "<a class=\"file\" href=\"../../media/a%20b\" download=\"a b\">"),
    ])
    func `a file is shown by its kind`(kind: PageMedia.Kind, markup: String) throws {
        var maker = ItemMaker(type: "file")
        maker.file = .named("a b")
        #expect(
            try Self.page(maker, media: PageMedia(path: "media/a b", kind: kind, state: .present))
                .contains(markup))
    }

    @Test func `a missing picture shows the preview of the message and says so`() throws {
        var maker = ItemMaker(type: "image", more: #","image":"data:image/jpg;base64,AAAA""#)
        maker.file = .named("a.jpg")
        let page = try Self.page(maker, media: PageMedia(path: nil, kind: .picture, state: .missing))
        #expect(page.contains("src=\"data:image/jpg;base64,AAAA\""))
        #expect(page.contains("file missing"))
        #expect(try Self.page(maker).contains("file not exported"))
    }

    @Test(arguments: [
        ("media/1-a.JPG", PageMedia.Kind.picture), ("media/1-a.svg", .file), ("media/1-a.html", .file),
        ("media/1-a.m4a", .voice), ("media/a.b/c", .file),
    ])
    func `how an exported file is shown follows from the name of its copy`(
        path: String, kind: PageMedia.Kind
    ) {
        var file = ItemFile.named("a.png")
        #expect(PageMedia.exported(file) == nil)
        file.exported = ExportedMedia(.present, path: path)
        #expect(PageMedia.exported(file) == PageMedia(path: path, kind: kind, state: .present))
        file.exported = ExportedMedia(.leftOut)
        #expect(PageMedia.exported(file) == PageMedia(path: nil, kind: .picture, state: .leftOut))
    }

    @Test func `events are lines with their subject`() throws {
        let maker = ItemMaker(
            text: "left", content: #"{"rcvGroupEvent":{"rcvGroupEvent":{"memberLeft":{}}}}"#)
        #expect(try Self.page(maker).contains("<bdi>Kim</bdi> <bdi>left</bdi>"))
    }

    // MARK: Pages

    /// So many items, one an hour.
    private static func long(_ count: Int, quoting: Int? = nil) -> MemorySource {
        let items = (0..<count).map { number -> ConversationItem in
            let time = UTCTime(seconds: 1_735_689_600 + Int64(number) * 3600).text
            var maker = ItemMaker(key: "k\(number)", time: time, text: "number \(number)")
            if number == count - 1, let quoting {
                maker.quote = ItemQuote(
                    key: "k\(quoting)", author: .kim, sentAt: nil, content: nil, storedContent: nil, text: "q"
                )
            }
            return maker.item
        }
        return MemorySource(content: [(.made("group-1"), items)])
    }

    @Test func `pages are divided by month and by count, and linked`() throws {
        var split = PageSplit()
        (split.mostItems, split.fewestItems) = (500, 100)
        let sink = try Self.long(1500).export(split: split)
        let names = ["2025-01", "2025-01-2", "2025-02", "2025-02-2", "2025-03"]
        #expect(
            Set(sink.pages.keys.filter { $0.hasPrefix("pages/") })
                == Set(names.map { "pages/group-1/\($0).html" } + ["pages/group-1/index.html"]))
        for (number, name) in names.enumerated() {
            let page = sink.text("pages/group-1/\(name).html")
            #expect(page.contains("rel=\"next\"") == (number + 1 < names.count))
            if number > 0 {
                #expect(page.contains("<link rel=\"prev\" href=\"\(names[number - 1]).html\"/>"))
            }
            #expect(page.split(separator: "<article ").count - 1 <= 500)
        }
    }

    @Test func `a month of few messages shares its page with the next`() throws {
        let sink = try Self.long(1000).export()
        #expect(sink.pages.keys.contains("pages/group-1/2025-02.html"))
        var split = PageSplit()
        split.fewestItems = 5000
        let joined = try Self.long(1000).export(split: split)
        #expect(!joined.pages.keys.contains("pages/group-1/2025-02.html"))
        #expect(joined.text("pages/group-1/index.html").contains("January 2025 – February 2025"))
    }

    @Test(arguments: [(1498, "#m-k1498"), (3, "2025-01.html#m-k3")])
    func `a quote jumps to its item, also on another page`(quoted: Int, address: String) throws {
        let sink = try Self.long(1500, quoting: quoted).export()
        #expect(sink.text("pages/group-1/2025-03.html").contains("<a class=\"q\" href=\"\(address)\">"))
    }

    @Test func `a quote of what the conversation does not have is no link`() throws {
        let sink = try Self.long(10, quoting: 5000).export()
        #expect(sink.text("pages/group-1/2025-01.html").contains("<div class=\"q\">"))
    }

    // MARK: Templates

    @Test func `a template of one's own replaces one of the library`() throws {
        let own = Array("<!DOCTYPE html><p>{{name}}</p>{{{content}}}".utf8)
        let page = try MemorySource(content: [
            (.made("group-1", name: "A & B"), [ItemMaker(text: "hello").item])
        ])
        .export(own: ["page.mustache": own]).text("pages/group-1/2025-03.html")
        #expect(page.hasPrefix("<!DOCTYPE html><p>A &amp; B</p><section"))
        #expect(page.contains("hello"))
    }

    @Test(arguments: [("other.css", "x"), ("page.mustache", "{{#open}}"), ("page.mustache", "no place")])
    func `a template that cannot be used is refused by its name`(name: String, text: String) throws {
        let source = MemorySource(content: [(.made("group-1"), [ItemMaker(text: "hello").item])])
        let error = #expect(throws: HTMLExportError.self) { try source.export(own: [name: Array(text.utf8)]) }
        #expect(error?.subject == name)
    }
}
