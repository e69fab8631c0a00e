import Testing
import ValiseEncoding

/// Lines of text in the columns of a terminal.
struct WordWrapTests {
    private func lines(_ text: String, after start: String = "", _ width: Int, _ hanging: Int = 0) -> [String]
    {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return WordWrap.lines(of: words, after: start, width: width, hanging: hanging)
    }

    @Test func `lines end at words`() {
        #expect(lines("one two three", 7) == ["one two", "three"])
        #expect(lines("one two three", 8, 2) == ["one two", "  three"])
        #expect(lines("one two three", 13) == ["one two three"])
        #expect(lines("one two three", after: "  a  ", 12, 5) == ["  a  one two", "     three"])
    }

    @Test func `what is wider than a line stays whole`() {
        #expect(lines("in /a/long/path here", 6) == ["in", "/a/long/path", "here"])
        #expect(lines("/a/long/path", after: "hint: ", 8, 6) == ["hint: /a/long/path"])
    }

    @Test func `columns are counted, not letters`() {
        #expect(lines("日本 日本 日本", 9) == ["日本 日本", "日本"])
        #expect(lines("e\u{301}a e\u{301}a", 5) == ["e\u{301}a e\u{301}a"])
    }

    @Test func `a space at the end stays, and none begins a line`() {
        #expect(lines("Continue? (y/N) ", 10) == ["Continue?", "(y/N) "])
        #expect(lines("one  two", 5) == ["one", "two"])
    }

    @Test func `no line is wider than it has to be`() {
        let text = "Every operation on an account is atomic: after a crash you have either state, complete."
        for width in 1...100 {
            let found = lines(text, width, 2)
            #expect(found.map { $0.drop { $0 == " " } }.joined(separator: " ") == text)
            for line in found where DisplayWidth.of(line) > width {
                #expect(!line.drop { $0 == " " }.contains(" "), "\(width): \(line)")
            }
        }
    }
}
