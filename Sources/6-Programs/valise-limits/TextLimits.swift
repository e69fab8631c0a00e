import ValiseChatSchema

/// How long texts take to be parsed: a megabyte of ordinary ones, and of what a parser could be slow at.
enum TextLimits {
    private static let size = 1_000_000
    private static let rounds = 5

    private static let texts: KeyValuePairs<String, String> = [
        "words": "just some words of a text ", "lines": "just some words of a text\n",
        "formats": "a *bold* and _it_ `code` ",
        "links": "https://a.example/x?y=z ", "named-links": "[a](https://b.example) ",
        "mentions": "@name and @'a b' ",
        "umlauts": "h\u{e9}\u{e9} w\u{f6}rd ", "stars": "*", "open-stars": "*a\n", "brackets": "[",
        "open-links": "[a](",
        "hashes": "#",
        "names": "#a ", "ats": "@", "quotes": "@'a ", "digits": "1 2 ", "mails": "a@b.example ",
        "colors": "!1 a ",
    ]

    /// One line each: the name, milliseconds for a megabyte, and how many times as long twice the text takes.
    static func print() {
        for (name, piece) in texts {
            let text = String(repeating: piece, count: size / piece.utf8.count)
            let (once, twice) = (seconds(text), seconds(text + text))
            Swift.print(
                "text \(name) 1 \((once * 10_000).rounded() / 10) ms, twice \((twice / once * 100).rounded() / 100) x"
            )
        }
    }

    /// The shortest of some rounds.
    private static func seconds(_ text: String) -> Double {
        (0..<rounds).map { _ in
            ContinuousClock().measure { precondition(!FormattedText(text).parts.isEmpty) } / .seconds(1)
        }.min() ?? 1
    }
}
