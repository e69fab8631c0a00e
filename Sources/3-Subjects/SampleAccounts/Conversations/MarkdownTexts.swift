/// Texts of every format of SimpleX's markdown, and of what nearly is one.
enum MarkdownTexts {
    static let formats: [String] = [
        "*bold* _italic_ ~struck~ `code *not bold*` #covered# #two words#", "##x### and #a#",
        "!1 red! !2 green! !3 blue! !4 yellow! !5 cyan! !6 magenta!",
        "!r red! !green green! !b blue! !yellow y! !c c! !m m!",
        "!- small print! after", "*a*_b_~c~`d`", "first *line*\nsecond _line_\n\nlast", "**a** * a* *a *",
        "*to the end",
        "_under_score and snake_case", "wow! really! !7 no! !1  two!", "кот *жирный* кот 🚀 *x* 🚀",
    ]

    static let links: [String] = [
        "https://example.org", "see https://example.org/a_b_?c=1&d=2#e.",
        "(https://example.org) http://x example.org/path",
        "www.example.org a.b.c.d example1.org", "[here](https://example.org/x) tail",
        "[example.org](https://example.org)",
        "[other.org](https://example.org)", "[x](example.org)", "https://例え.example/日本語",
        "https://example.org/\"onmouseover=\"alert(1)", "mail to ana@example.org!",
        "call +49 30 1234567 or (030) 1234567",
        "12.03.2026 and 2026-03-12 10:00", "#tag.simplex, yes", "#тег and #tag", "see @ana.example.org",
    ]

    /// Addresses, invitations and links of groups, channels and relays, long and short.
    static let simplexLinks: [String] = [
        "simplex:/contact#/?v=2-7&smp=smp%3A%2F%2Fabcd%40smp1.example.org%2Fqueue1%23%2F%3Fv%3D1-4%26dh%3DMCow",
        "simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2Fabcd%40smp1.example.org%2Fqueue2%23%2F%3Fv%3D1-4%26dh%3DMCow&e2e=v%3D2-3",
        "https://simplex.chat/contact#/?v=2-7&smp=smp%3A%2F%2Fabcd%40smp2.example.org%2Fqueue3%23%2F%3Fv%3D1-4%26dh%3DMCow",
        "join https://smp1.example.org/g#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE today",
        "https://smp1.example.org/a#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
        "https://smp1.example.org/i#abcdefgh/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
        "https://smp2.example.org/c#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
        "https://relay.example.org/r#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
        "[the club](simplex:/g#AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE?h=smp1.example.org)",
    ]

    static let words: [String] = [
        "/start", "  /start now", "say /help please", "/'two words' x", "/x?y", "/", "hi @ana!",
        "@'Jo Ann' hello",
        "@'open quote", "@ ana @@ @ana@example.org", "#", "# no#", "tail newline\n", "*a\nb*", "`tick",
        "a  *b*  c",
    ]

    static let all: [String] = formats + links + simplexLinks + words
}
