import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseChatLog

/// Pages that are made when they are asked for.
struct ServedPagesTests {
    /// No files.
    private struct NoFiles: ServedFiles {
        func reference(to file: ItemFile) -> PageMedia? { nil }
        func content(at path: [String]) -> ServedMedia? { nil }
    }

    private static func options(most: Int, fewest: Int) throws -> HTMLOptions {
        var options = HTMLOptions(templates: try PageTemplates(), offset: { _ in 3600 })
        (options.split.mostItems, options.split.fewestItems) = (most, fewest)
        options.isServed = true
        return options
    }

    private static func served(
        _ source: any ConversationSource, most: Int = 2000, fewest: Int = 200
    ) throws -> ServedPages {
        let conversations = try source.conversations(includesHidden: true, damaged: { throw $0 })
        return ServedPages(
            source, conversations, files: NoFiles(), try options(most: most, fewest: fewest))
    }

    private static func answer(_ pages: ServedPages, _ target: String) throws -> ServedPages.Answer {
        let address = try #require(PageAddress(target), "\(target)")
        return try pages.answer(to: address, checkpoint: {})
    }

    private static func text(_ pages: ServedPages, _ target: String) throws -> String {
        guard case .page(let bytes) = try answer(pages, target) else {
            Issue.record("\(target) is no page")
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func target(of pages: ServedPages, _ target: String) throws -> String {
        guard case .elsewhere(let address) = try answer(pages, target) else {
            Issue.record("\(target) leads nowhere else")
            return ""
        }
        return address
    }

    /// All pages of conversations as an export writes them, from the same options.
    private static func exported(
        _ source: some ConversationSource, most: Int, fewest: Int
    ) throws -> [String: String] {
        let sink = MemorySink()
        var export = HTMLExport(
            try options(most: most, fewest: fewest), sink: sink, spill: MemorySpill(), media: { _ in nil })
        let conversations = try source.conversations(includesHidden: true, damaged: { throw $0 })
        try export.write(conversations, of: source, damaged: { throw $0 })
        try export.finish()
        return sink.pages.filter { $0.key.hasPrefix("pages/") }
    }

    // MARK: The same pages

    @Test(arguments: AppCoreTests.accounts) func `each page is the one that an export has, made alone`(
        account: AppCoreTests.Account
    ) throws {
        let log = try account.log()
        let expected = try Self.exported(log, most: 7, fewest: 3)
        #expect(expected.count > 15)
        let pages = try Self.served(log, most: 7, fewest: 3)
        // The last ones first: no page needs those before it.
        for (path, text) in expected.sorted(by: { $0.key > $1.key }) {
            #expect(try Self.text(pages, "/\(path)") == text, "\(path)")
        }
    }

    @Test func `pages of an export are found by the places of their lines`() throws {
        let folder = try TemporaryFolder("valise-served", inMemory: true)
        let log = try AppCoreTests.accounts[0].log()
        let conversations = try log.conversations(includesHidden: true)
        _ = try ConversationExport().run(log, conversations, to: folder.path)
        let exported = try ExportedLog(folder.path)
        let expected = try Self.exported(exported, most: 7, fewest: 3)
        let pages = try Self.served(exported, most: 7, fewest: 3)
        for (path, text) in expected.sorted(by: { $0.key > $1.key }) {
            #expect(try Self.text(pages, "/\(path)") == text, "\(path)")
        }
    }

    // MARK: Ways

    private static func long(_ count: Int, quoting: Int? = nil) -> MemorySource {
        let items = (0..<count).map { number -> ConversationItem in
            var maker = ItemMaker(key: "k\(number)", text: "number \(number)")
            if number == 0, let quoting {
                maker.quote = ItemQuote(
                    key: "k\(quoting)", author: .kim, sentAt: nil, content: nil, storedContent: nil, text: "q"
                )
            }
            return maker.item
        }
        return MemorySource(content: [(.made("group-1"), items)])
    }

    @Test func `the list of conversations leads to the last page`() throws {
        let pages = try Self.served(Self.long(50), most: 20, fewest: 10)
        let index = try Self.text(pages, "/")
        #expect(index.contains("href=\"pages/group-1/latest.html\""))
        #expect(try Self.text(pages, "/index.html") == index)
        let last = try Self.target(of: pages, "/pages/group-1/latest.html")
        #expect(last == "/pages/group-1/2025-03-3.html")
        #expect(try Self.text(pages, last).contains("number 49"))
    }

    @Test func `a quote jumps to a page behind its own, too`() throws {
        let pages = try Self.served(Self.long(50, quoting: 45), most: 20, fewest: 10)
        let first = try Self.text(pages, "/pages/group-1/2025-03.html")
        #expect(first.contains("<a class=\"q\" href=\"2025-03-3.html#m-k45\">"))
    }

    @Test(arguments: [(0, "2025-03"), (19, "2025-03"), (20, "2025-03-2"), (49, "2025-03-3")])
    func `an item is found by its number`(number: Int, page: String) throws {
        let pages = try Self.served(Self.long(50), most: 20, fewest: 10)
        let target = try Self.target(of: pages, "/pages/group-1/item.html?number=\(number)&id=k\(number)")
        #expect(target == "/pages/group-1/\(page).html#m-k\(number)")
    }

    @Test func `a conversation without messages has its page`() throws {
        let pages = try Self.served(Self.long(0))
        let target = try Self.target(of: pages, "/pages/group-1/latest.html")
        #expect(try Self.text(pages, target).contains("no messages"))
    }

    @Test(arguments: [
        "/pages/group-2/index.html", "/pages/group-1/1999-01.html", "/pages/group-1/index", "/other",
        "/web/other.js", "/web/page.mustache", "/pages/group-1/item.html", "/media/1/x.png",
    ])
    func `nothing else is there`(target: String) throws {
        guard case .missing = try Self.answer(Self.served(Self.long(1)), target) else {
            Issue.record("\(target) is there")
            return
        }
    }

    @Test func `scripts and styles are given`() throws {
        guard case .file(let bytes, "page.js") = try Self.answer(Self.served(Self.long(1)), "/web/page.js")
        else {
            Issue.record("no script")
            return
        }
        #expect(!bytes.isEmpty)
    }

    @Test func `a page that nobody waits for is not made`() throws {
        struct Gone: Error {}
        let pages = try Self.served(Self.long(3000))
        let address = try #require(PageAddress("/search.html?q=number"))
        #expect(throws: Gone.self) { try pages.answer(to: address) { throw Gone() } }
    }

    // MARK: Search

    @Test func `results come the newest first, and more of them behind`() throws {
        let pages = try Self.served(Self.long(100))
        var target = "/search.html?q=NUMBER"
        var found: [Int] = []
        while true {
            let page = try Self.text(pages, target)
            found += page.matches(of: #/\?number=([0-9]+)&amp;id=k/#).compactMap { Int($0.1) }
            guard let more = page.firstMatch(of: #/id="more" href="([^"]+)"/#) else { break }
            target = "/" + more.1.replacing("&amp;", with: "&")
        }
        #expect(found == Array((0..<100).reversed()))
    }

    @Test func `what was searched for is marked and escaped`() throws {
        let items = [ItemMaker(key: "a", text: "a <b>Harbour</b> & more").item]
        let pages = try Self.served(MemorySource(content: [(.made("group-1", name: "A & B"), items)]))
        let page = try Self.text(pages, "/search.html?q=harbour+%22%3Cb%3E%22")
        #expect(page.contains("a <mark>&lt;b&gt;</mark><mark>Harbour</mark>&lt;/b&gt; &amp; more"), "\(page)")
        #expect(page.contains("value=\"harbour &quot;&lt;b&gt;&quot;\""))
        #expect(page.contains("A &amp; B"))
        #expect(page.contains(">1 message<"))
    }

    @Test func `one conversation alone is searched where it is chosen`() throws {
        let one = ItemMaker(key: "a", text: "same word").item
        let source = MemorySource(content: [(.made("group-1"), [one]), (.made("group-2"), [one])])
        let page = try Self.text(Self.served(source), "/search.html?q=same&in=group-2")
        #expect(page.contains("pages/group-2/item.html") && !page.contains("pages/group-1/item.html"))
        #expect(page.contains("value=\"group-2\" selected"))
    }

    @Test func `what is not there is not found`() throws {
        let pages = try Self.served(Self.long(10))
        #expect(try Self.text(pages, "/search.html?q=harbour").contains("nothing found"))
        #expect(try !Self.text(pages, "/search.html").contains("id=\"status\""))
    }

    // MARK: Addresses

    private static let addresses: [(String, [String], [String: String])] = [
        ("/", [], [:]), ("/a/b.html?x=1&y=a+b&x=2", ["a", "b.html"], ["x": "1", "y": "a b"]),
        ("/media/1/caf%C3%A9%20a.png", ["media", "1", "café a.png"], [:]), ("/a/", ["a"], [:]),
        ("/?q=%22a%2Bb%22", [], ["q": "\"a+b\""]), ("/?q", [], ["q": ""]),
    ]

    @Test(arguments: addresses) func `an address is decoded`(
        target: String, path: [String], query: [String: String]
    ) throws {
        let address = try #require(PageAddress(target))
        #expect(address.path == path && address.query == query)
    }

    @Test(arguments: [
        "", "a", "http://a/b", "//a", "/a//b", "/../a", "/a/%2e%2e/b", "/a%2fb", "/%zz", "/%4", "/%00",
        "/%ff",
        "/a?b=%zz", "/a%0d%0ab", "/" + String(repeating: "a", count: 9000),
    ])
    func `what is no address is none`(target: String) {
        #expect(PageAddress(target) == nil)
    }

    // MARK: Files of an export

    private func makeLink(_ target: String, _ path: FilePath) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path.string, withDestinationPath: target)
    }

    @Test func `only regular files below the files of an export are given`() throws {
        let folder = try TemporaryFolder("valise-served", inMemory: true)
        let fileSystem = FileSystem()
        let media = folder.appending("media")
        try fileSystem.makeDirectories(media.appending("contact-1"))
        try fileSystem.replace(media.appending("contact-1").appending("1-a.png"), with: [1, 2, 3])
        try fileSystem.replace(folder.appending("secret"), with: [9])
        try makeLink("../../secret", media.appending("contact-1").appending("link.png"))
        try makeLink("..", media.appending("out"))
        let files = ExportFiles(folder.path)
        let content = try #require(try files.content(at: ["media", "contact-1", "1-a.png"]))
        #expect(
            try content.size == 3 && content.type == "image/png" && content.bytes(at: 1, count: 2) == [2, 3])
        for path in [
            ["media", "contact-1", "link.png"], ["media", "out", "secret"], ["media", "..", "secret"],
            ["media", "contact-1"], ["secret"], ["media", "contact-1", "none.png"],
        ] {
            #expect(try files.content(at: path) == nil, "\(path)")
        }
    }
}
