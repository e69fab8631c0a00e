import Testing
import ValiseEncoding

/// Durations as users type them.
struct TimeSpanTests {
    @Test(
        arguments: [
            ("30s", 30), ("5m", 300), ("12h", 43_200), ("2d", 172_800), ("1w", 604_800), ("1y", 31_536_000),
        ]
            as [(String, Int64)])
    func `a number and a unit are seconds`(text: String, seconds: Int64) {
        #expect(TimeSpan.decode(text, in: "smhdwy") == seconds)
    }

    @Test(arguments: ["", "5", "m", "5 m", "-1m", "1.5h", "1000001s", "5min", "5M"])
    func `anything else is none`(text: String) {
        #expect(TimeSpan.decode(text, in: "smhdwy") == nil)
    }

    @Test func `a unit that is not asked for is none`() {
        #expect(TimeSpan.decode("5d", in: "smh") == nil)
    }
}
