import Testing

@testable import ValiseChatLog

/// What becomes of texts.
struct TextRedactorTests {
    private static let names = [
        ("Anna", "Person 1"), ("Bob 🙂", "Person 2"), ("two words", "Person 3"), ("李明", "Person 4"),
        ("A", "Person 5"), ("Anna Maria", "Person 6"), ("ΟΔΥΣΣΕΥΣ", "Person 7"), ("team", "Group 1"),
        ("bob_1", "Person 8"), ("José", "Person 9"),
    ].map { (name: $0.0, replacement: $0.1) }

    private func redacted(_ text: String, _ categories: Set<ChatRedaction.Category>) -> String {
        TextRedactor(ChatRedaction(categories), Self.names).redacted(text)
    }

    @Test(arguments: [
        ("Hi anna, ANNA's Annas! Anna  Maria", "Hi Person 1, Person 1's Annas! Person 6"),
        ("@anna and @'two words' and two\nwords", "@'Person 1' and @'Person 3' and Person 3"),
        ("bob bob_1 Bob🙂 bobby", "Person 2 Person 8 Person 2🙂 bobby"), ("我和李明去", "我和Person 4去"),
        ("A man, @A", "A man, @'Person 5'"), ("Οδυσσευς οδυσσευσ", "Person 7 Person 7"),
        ("jose\u{301} José", "Person 9 Person 9"), ("x\u{200B}anna", "x\u{200B}Person 1"),
        ("_anna_ *anna* ~team~ #anna#", "_Person 1_ *Person 1* ~Group 1~ #Person 1#"), ("", ""),
    ]) func `names are whole words in any case, the longest first`(text: String, expected: String) {
        #expect(redacted(text, [.names]) == expected)
        #expect(redacted(text, [.media]) == text)
    }

    @Test(arguments: [
        ("call +49 (0) 123 4567-89 now, *tel:+491234567*", "call [phone] now, *tel:[phone]*"),
        ("(030) 123456-7, x1234567y", "[phone], x[phone]y"), ("٠١٢٣٤٥٦٧٨٩", "[phone]"),
        ("1234 56 in 2024 - 2025", "1234 56 in 2024 - 2025"),
        ("https://x.example/1234567 a@1234567.example", "https://x.example/1234567 a@1234567.example"),
    ]) func `numbers of phones are found wherever they stand, but within addresses`(
        text: String, expected: String
    ) { #expect(redacted(text, [.phones]) == expected) }

    @Test(arguments: [
        (
            "see https://a.b/c?d=1#e, (https://x.y/z). [name](https://q.example/p)",
            "see [link], ([link]). [name]([link])"
        ),
        ("a.b@c.de, <x@y.org>; www.example.com/path?q h.example:8080", "[email], <[email]>; [link] [link]"),
        ("simplex:/contact#/?v=2&smp=abc #group.name #secret#", "[link] [link] #secret#"),
        ("see:https://a.b münchen.example 10.0.0.1", "see:[link] [link] [link]"),
        (
            "1.2.3 v1.2.10 12.03.2026 C:/x /path e.g. 5:30 a/b",
            "1.2.3 v1.2.10 12.03.2026 C:/x /path e.g. 5:30 a/b"
        ),
        ("+49 123 4567 anna", "+49 123 4567 anna"),
    ]) func `addresses are found wherever they stand`(text: String, expected: String) {
        #expect(redacted(text, [.links]) == expected)
    }

    @Test func `rules come first, and nothing looks at what they put in`() throws {
        let rules = """
            # a comment

            names
            text "Some \\"words" -> "anna"
            /a\\/(b)+/ -> "https://x.example"\r
            text "gone"
            links
            """
        let redaction = try ChatRedaction(rules: rules)
        #expect(redaction.words == ["names", "links", "texts"])
        let redactor = TextRedactor(redaction, Self.names)
        let text = redactor.redacted("some \"WORDS, a/bbb, Gone, anna and https://y.example")
        #expect(text == "anna, https://x.example, [removed], Person 1 and [link]")
        #expect(try ChatRedaction(rules: "all").categories == Set(ChatRedaction.Category.allCases))
        #expect(try ChatRedaction(rules: "").isEmpty)
    }

    @Test(arguments: [
        ("nam", "not a rule: nam"), ("text", "text in quotation marks is missing"),
        ("text \"a", "there is no closing \""), ("/(/", "not a regular expression: ("),
        ("text \"a\" -> b", "-> and a text in quotation marks are missing"),
        ("names phones", "more than one rule on a line"), ("text \" \"", "the text is empty"),
        ("/a/ x", "-> and a text in quotation marks are missing"),
    ]) func `what is no rule is named with its line`(rule: String, message: String) {
        #expect(throws: ChatRedaction.Defect(line: 3, message: message)) {
            try ChatRedaction(rules: "names\n\n\(rule)\n")
        }
    }
}
