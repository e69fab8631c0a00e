import Testing

@testable import ValiseCommands

/// The beginning of lists that may be long.
struct FirstLinesTests {
    @Test func `a short list is shown whole`() {
        #expect(FirstLines.of(["a", "b"], of: 2) { $0 } == ["  a", "  b"])
        #expect(FirstLines.of([String](), of: 0) { $0 }.isEmpty)
    }

    @Test func `the last line says how many more there are, and how many of them JSON lists`() {
        let items = Array(1...25)
        let lines = FirstLines.of(items, of: 25) { "n\($0)" }
        #expect(lines.count == 21 && lines[19] == "  n20" && lines[20] == "  and 5 more; --json lists them")
        let more = FirstLines.of(items, of: 2000, indent: "") { "n\($0)" }
        #expect(more[0] == "n1" && more[20] == "and 1980 more; --json lists the first 25")
    }
}
