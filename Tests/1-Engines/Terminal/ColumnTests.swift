import Testing

@testable import ValiseTerminal

/// Names and values, and words that people read to each other, in columns.
struct ColumnTests {
    @Test func `a value is in the column behind its name`() {
        #expect(FieldLine.text("size", "3 MB") == "  size        3 MB")
        #expect(FieldLine.text("", "continued") == "              continued")
        #expect(FieldLine.text("next try", "now", width: 10) == "  next try  now")
        #expect(FieldLine.text("a name of its own", "x") == "  a name of its own x")
        var lines = ["first"]
        lines.appendField("size", "3 MB")
        #expect(lines == ["first", "  size        3 MB"])
    }

    @Test func `text is padded to a width, and a longer one is left as it is`() {
        #expect("ok".padded(to: 4) == "ok  ")
        #expect("longer".padded(to: 4) == "longer")
    }

    @Test func `words are numbered, four on a line, without spaces at the end`() {
        #expect(
            NumberedColumns.lines(["one", "three", "two", "four", "five"], in: nil)
                == ["  1 one     2 three   3 two     4 four", "  5 five"])
        #expect(NumberedColumns.lines([], in: 40).isEmpty)
    }

    @Test func `a narrow window has fewer words on a line, in even columns`() {
        let words = Array(repeating: "cricket", count: 8)
        #expect(NumberedColumns.lines(words, in: 47).count == 2)
        for width in [23, 40, 46] {
            let lines = NumberedColumns.lines(words, in: width)
            #expect(lines.count == 4 && lines.allSatisfy { $0.count == 23 }, "\(width) \(lines)")
        }
        #expect(NumberedColumns.lines(words, in: 22).count == 8)
    }

    @Test func `control characters do not reach the terminal, but line breaks and tabulators do`() {
        #expect("a\u{1b}[2J\n\tb\r".withoutControlsInLines == "a?[2J\n\tb?")
    }
}
