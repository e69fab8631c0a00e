import Testing
import ValiseEncoding

/// Numbers and plurals.
struct CountTests {
    @Test(
        arguments: [
            (0, "file", "0 files"), (1, "file", "1 file"), (2, "file", "2 files"),
            (1, "entry", "1 entry"), (2, "entry", "2 entries"), (2, "day", "2 days"),
            (2, "box", "2 boxes"), (2, "address", "2 addresses"), (2, "batch", "2 batches"),
            (2, "damaged page", "2 damaged pages"), (2, "lost entry", "2 lost entries"),
        ])
    func `a number has its noun`(number: Int, noun: String, text: String) {
        #expect(Count.text(number, noun) == text)
    }

    @Test func `the largest numbers have one too`() {
        #expect(Count.text(UInt64.max, "byte") == "18446744073709551615 bytes")
        #expect(Count.text(Int64.min, "byte") == "-9223372036854775808 bytes")
    }

    @Test func `a noun can be without its number`() {
        #expect(Count.noun(1, "page") == "page" && Count.noun(3, "page") == "pages")
    }
}
