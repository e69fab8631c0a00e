import FaultInjection
import Testing
import ValiseComposition

/// Titles, descriptions and pictures of pages, hostile ones included.
struct PageOutlineTests {
    private static func outline(_ page: String, at address: String = "https://a.example/b/c?d") -> PageOutline
    {
        PageOutline(html: Array(page.utf8), at: address)
    }

    @Test(arguments: ["a ", "ab  ", "a\n\tb "])
    func `spaces of a long title count too`(word: String) {
        let html = "<title>\(String(repeating: word, count: 400))</title>"
        let title = PageOutline(html: Array(html.utf8), at: "https://a.example/").title
        #expect((298...PageOutline.mostCharacters.title).contains(title.count) && title.last != " ")
    }

    @Test func `a page says what it is`() {
        let page = Self.outline(
            """
            <!DOCTYPE html><html><head><meta charset="utf-8"><title>Plain</title>
            <META Property='og:title' content="A &amp; B &#8364; &#x41; &nosuch; &"/>
            <meta content=unquoted name=description><meta property="og:image" content="/p.jpg">
            <meta property="og:title" content="Second"></head><body><meta property="og:description" content="no">
            """)
        #expect(page.title == "A & B € A &nosuch; &")
        #expect(page.description == "unquoted")
        #expect(page.image == "https://a.example/p.jpg")
    }

    @Test(arguments: [
        ("<title>a</title>", "a"), ("<TITLE lang=en>  a\n\t b </TITLE>", "a b"), ("<title></title>", ""),
        ("<title>a", ""),
        ("<!-- <title>no</title> --><title>yes</title>", "yes"),
        ("<script>'<title>no</title>'</script><title>y</title>", "y"),
        ("<meta name=twitter:title content=t><title>a</title>", "t"), ("</head><title>late</title>", ""),
        ("", ""),
        ("<title>\u{202e}abc\u{0}d</title>", "abc d"),
        ("<meta property=og:title content=''><title>a</title>", "a"),
        ("<noscript><meta property=og:title content=no></noscript><title>a</title>", "a"),
    ])
    func `titles are found where they count`(page: String, title: String) {
        #expect(Self.outline(page).title == title)
    }

    @Test func `texts are cut, and other alphabets are read`() {
        let long = Self.outline("<title>\(String(repeating: "é", count: 900))</title>")
        #expect(long.title.count == PageOutline.mostCharacters.title)
        let western: [UInt8] = Array("<title>caf".utf8) + [0xe9] + Array("</title>".utf8)
        #expect(PageOutline(html: western, at: "").title == "café")
        #expect(PageOutline(html: western, at: "", charset: "utf-8").title == "caf\u{fffd}")
        #expect(
            PageOutline(html: Array("<title>é</title>".utf8), at: "", charset: "iso-8859-1").title == "Ã©")
    }

    @Test(arguments: [
        ("p.jpg", "https://a.example/b/p.jpg"), ("/p.jpg", "https://a.example/p.jpg"),
        ("//c.example/p", "https://c.example/p"),
        ("http://d.example", "http://d.example/"), ("HTTPS://D.example/X#y", "https://d.example/X"),
        ("javascript:alert(1)", nil),
        ("data:image/png;base64,AA", nil), ("file:///etc/passwd", nil), ("https://user@e.example/p", nil),
        ("", nil),
        ("ftp://a.example/p", nil), ("https://", nil), ("a b", nil), ("?q", "https://a.example/b/?q"),
    ])
    func `a picture's address leads into the web, or is none`(link: String, image: String?) {
        #expect(Self.outline("<meta property=\"og:image\" content=\"\(link)\">").image == image)
    }

    @Test(.timeLimit(.minutes(1))) func `nothing of a page traps or hangs`() {
        let pieces = [
            "<", "<!--", "<title>", "<script>", "<meta ", "<meta property=og:title content=", "a='", "\"",
            "&", "&#", "-", "<meta a a ",
            "</", "=", "é", "<title",
        ]
        for piece in pieces {
            let page = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
            _ = PageOutline(html: page, at: "https://a.example")
        }
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let page = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(
                separator: seed % 2 == 0 ? "" : " ")
            _ = Self.outline(page)
        }
    }
}
