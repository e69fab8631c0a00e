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

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (65_536, "65.5 kB"),
            (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_073_741_824, "1.1 GB"),
            (999_999_999_999, "1.0 TB"),
            (Int64.max, "9223372.0 TB"),
        ] as [(Int64, String)])
    func `a size has the unit that fits it`(size: Int64, text: String) {
        #expect(Count.bytes(size) == text)
    }

    @Test(
        arguments: [
            (65_536, 10, "65.5 kB of 10 bytes"), (2_000_000, 2_000_000, "2.0 MB of 2.0 MB"),
            (5_368_709_121, 5_368_709_120, "5368709121 bytes of 5368709120 bytes"),
        ] as [(Int64, Int64, String)])
    func `two sizes are exact where they would read the same`(first: Int64, second: Int64, text: String) {
        let texts = Count.bytes(first, and: second)
        #expect("\(texts.0) of \(texts.1)" == text)
    }

    @Test func `a noun can be without its number`() {
        #expect(Count.noun(1, "page") == "page" && Count.noun(3, "page") == "pages")
        #expect(Count.verb(1, "match") == "matches" && Count.verb(1, "open") == "opens")
        #expect(Count.verb(0, "match") == "match" && Count.verb(2, "open") == "open")
    }
}
