/// Names and texts that break a reader which passes them on as they are: markup, controls, directions, sizes.
enum HostileTexts {
    /// An element and an attribute that would run, and what ends an element that one is written into.
    static let markup: [String] = [
        "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "<svg/onload=alert(1)>",
        "</script><script>alert(2)</script>", "</style></title></textarea><b>out</b>",
        "<!-- --><![CDATA[ ]]>", "&lt;b&gt; &amp;amp; &#x3c;i&#x3e; &nosuch;",
        "javascript:alert(3)", "[click](javascript:alert(4))", #"<a href="javascript:alert(5)">here</a>"#,
        "{{name}} {{{name}}} {{#each}} ${7*7} #{7*7} <%= 7 %> {% raw %}", "\\u003cscript\\u003e",
        "\u{FF1C}script\u{FF1E} in full width", "' onmouseover='alert(6)' x='",
    ]

    /// What a terminal, a table or a shell would take for its own.
    static let commands: [String] = [
        "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1:A9)", "\t=1+1", "a,b;c\t\"d\"\r\ne",
        "../../etc/passwd",
        "\u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{07}", "\u{08}\u{08}\u{08}erased", "line\rover",
        "$(reboot) `reboot`",
        "%s%n%x", "NUL here \u{0} and after", "\u{1}\u{2}\u{1F}\u{7F}\u{85}\u{9B}31m",
        "# heading\n- list\n> quote\n| a | b |",
    ]

    /// Directions, what is not seen, and what is more than one code point or one unit of UTF-16.
    static let unicode: [String] = [
        "\u{202E}gpj.exe", "a\u{202E}b\u{202D}c\u{202C}d", "\u{2066}\u{2067}\u{2068}never closed",
        "\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}", "line\u{2028}separator\u{2029}paragraph",
        "\u{FFFD} \u{FFFF} \u{10FFFF}",
        "𓀀 𝒜𝓫𝔠 𠜎 🏴‍☠️ 👩🏽‍🚀 🇩🇪 🧑‍🤝‍🧑", "Z\u{351}\u{36B}\u{343}\u{32A}\u{302}\u{36A}a\u{334}\u{335}lgo",
        "e\u{301} é \u{212B} Å ﬁ ǆ ß İ ı", "שלום, what is 3 > 2? كيف (حالك) 12:30",
        "مرحبا https://example.org/مرحبا *عريض*",
        "हिन्दी ไทย 한국어 日本語 中文 ქართული", "🚀", "🚀🚀🚀🚀🚀", "🚀🚀🚀🚀🚀🚀", "   ", "\n\n\n", "",
    ]

    /// A word without an end, lines without number, and a message as large as fits on the wire.
    static let large: [String] = [
        String(repeating: "abcdefghij", count: 300), String(repeating: "𝒜", count: 1000),
        String(repeating: "line\n", count: 400), String(repeating: "word *bold* ", count: 1250),
        String(repeating: "<b>", count: 500), String(repeating: "*a* _b_ ", count: 500),
    ]

    static let all: [String] = markup + commands + unicode + large
}
