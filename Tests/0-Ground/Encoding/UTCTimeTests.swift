import Testing
import ValiseEncoding

/// Times as databases have them.
struct UTCTimeTests {
    @Test(arguments: [
        "0000-01-01 00:00:00", "0000-02-29 23:59:59", "0000-03-01 00:00:00", "0001-01-01 00:00:00",
        "1600-02-29 12:00:00", "1969-12-31 23:59:59.5", "1970-01-01 00:00:00", "2000-02-29 00:00:00",
        "2026-01-31 12:34:56.123456789", "9999-12-31 23:59:59",
    ])
    func `a time is written as it was read`(_ text: String) throws {
        #expect(try #require(UTCTime(text)).text == text)
    }

    @Test func `a day follows the other, from the first year on`() throws {
        let days = ["0000-01-01", "0000-01-31", "0000-02-01", "0000-02-29", "0000-03-01", "0001-01-01"]
        let seconds = try days.map { try #require(UTCTime($0)).seconds / 86_400 }
        #expect(seconds == [0, 30, 31, 59, 60, 366].map { $0 - 719_528 })
    }
}
