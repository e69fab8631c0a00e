import Testing
import ValiseFailures

@testable import ValiseStorage

/// Names of objects, and versions as headers have them.
struct ObjectKeyTests {
    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\u{0}b", "a\nb", "\u{7f}",
        "\u{85}",
        String(repeating: "a", count: 1025),
        // For `String` neither of these has a slash, or two dots alone.
        "../\u{301}a", "a/\u{301}/../b", "a/../\u{301}",
    ])
    func `what would be no path in a folder is no key`(text: String) {
        #expect(storageFailure { _ = try ObjectKey(text) }?.code == .invalid)
    }

    @Test(arguments: [
        "a", "...", "..a", "a..", " ", "a/b/c", "é", "\u{301}", "a\\b", "%2F",
        String(repeating: "a", count: 1024),
    ])
    func `all other texts are keys`(text: String) throws { #expect(try ObjectKey(text).text == text) }

    @Test func `an error shows no control characters, and not all of a long text`() throws {
        let error = try #require(
            storageFailure { _ = try ObjectKey("\u{1b}[2J" + String(repeating: "a", count: 5000)) })
        #expect(error.subject?.hasPrefix("?[2J") == true && error.subject?.count == 200)
    }

    @Test func `keys that only look alike are two, and are sorted by their bytes`() throws {
        let (composed, decomposed) = (try ObjectKey("\u{e9}"), try ObjectKey("e\u{301}"))
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        let sorted = try ["é", "a/b", "a", "a-b", "a.b", "B", "e\u{301}", "ab"].map { try ObjectKey($0) }
            .sorted()
        #expect(
            sorted.map { Array($0.text.utf8) }
                == ["B", "a", "a-b", "a.b", "a/b", "ab", "e\u{301}", "é"].map { Array($0.utf8) })
    }

    @Test func `an ETag is a version without its quotes, and has them again in a header`() {
        for text in ["\"33a6-4\"", "33a6-4"] {
            #expect(ObjectVersion(entityTag: text) == ObjectVersion("33a6-4"))
        }
        #expect(ObjectVersion("33a6-4").entityTag == "\"33a6-4\"")
        #expect(ObjectVersion(entityTag: "W/\"a\"")?.entityTag == "W/\"a\"")
        for text in [
            "", "\"", "\"\"", "a b", "\"a\"b\"", "é", "a\r\nX: y", "W/", String(repeating: "a", count: 300),
        ] {
            #expect(ObjectVersion(entityTag: text) == nil, "\(text)")
        }
    }
}
