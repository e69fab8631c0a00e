/// Text of the messages: markdown, many scripts, and lines that compress about as chats do.
enum SampleTexts {
    static let fixed = [
        "Good morning! *Bold*, _italic_, ~struck~, `code` and #a secret#.",
        "!1 red! and !2 green! and !3 blue! words",
        "Emoji: 😀 👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 ✅ and a lone ❤",
        "שלום! מה נשמע היום?",
        "مرحبا، كيف حالك؟",
        "Привет! 日本語もあります。 Ελληνικά, हिन्दी, ไทย",
        "Two lines\nand a third one:\n\n```\nlet answer = 42\n```",
        "Quotes \" ' and \\ backslashes, <tags> & ampersands; tab\there",
        "e\u{301} is not é to a computer, e.g. in cafe\u{301} and café",
        "See https://example.org/path?a=1&b=2#part and mail to bob@example.org",
        "ok",
        "👍",
    ]

    static let words = """
        the garden tomorrow maybe after lunch we could meet and bring some bread with cheese because train \
        was late again but nobody minded music from upstairs sounded like rain on a tin roof so please send \
        me list of plants that grow well in shade near old wall where cat sleeps every afternoon thanks
        """.split(separator: " ").map(String.init)

    static func sentence(_ generator: inout SampleGenerator) -> String {
        let count = 3 + generator.below(18)
        let all = (0..<count).map { _ in generator.pick(words, or: "") }
        return all.joined(separator: " ") + generator.pick([".", "!", "?", " 🙂", "…"], or: ".")
    }
}
