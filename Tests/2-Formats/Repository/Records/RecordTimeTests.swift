import FaultInjection
import Testing
import ValiseEncoding

@testable import ValiseRepository

struct RecordTimeTests {
    @Test(arguments: [
        ("2026-11-20T10:00:00Z", Int64(1_795_168_800), 0, 0),
        ("2025-11-22T08:26:40.000000001Z", 1_763_800_000, 1, 0),
        ("2025-11-22T08:26:40.5Z", 1_763_800_000, 500_000_000, 0),
        ("2025-11-22T13:56:40.12345678+05:30", 1_763_800_000, 123_456_780, 19_800),
        ("2025-11-22T03:26:40-05:00", 1_763_800_000, 0, -18_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0, 0), ("0000-01-01T00:00:00Z", -62_167_219_200, 0, 0),
        ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, 0),
        ("1969-12-31T23:59:59.25Z", -1, 250_000_000, 0),
    ])
    func `times are read and written exactly`(text: String, seconds: Int64, nanoseconds: Int, offset: Int)
        throws
    {
        let time = try #require(RecordTime(text: text))
        #expect(time.seconds == seconds && time.nanoseconds == nanoseconds && time.offset == offset)
        #expect(time.text == text)
        #expect(RecordTime(seconds: seconds, nanoseconds: nanoseconds, offset: offset) == time)
    }

    @Test(arguments: [
        ("2026-11-20T10:00:00+00:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20T10:00:00-00:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20T10:00:00.120000000Z", "2026-11-20T10:00:00.12Z"),
        ("2026-11-20T10:00:00.1234567899Z", "2026-11-20T10:00:00.123456789Z"),
    ])
    func `other forms are read, too`(text: String, written: String) {
        #expect(RecordTime(text: text)?.text == written)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z", "2026-11-20t10:00:00Z",
        "2026-11-20T10:00:00z",
        "2026-13-20T10:00:00Z", "2026-02-29T10:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z",
        "2026-11-20T10:00:60Z", "2026-11-20T10:00:00.Z", "2026-11-20T10:00:00+0100",
        "2026-11-20T10:00:00+24:00",
        "2026-11-20T10:00:00+01:60", "2026-11-20T10:00:00Zx", "20260-11-20T10:00:00Z", "2026-11-2010:00:00ZZ",
        "+026-11-20T10:00:00Z", "2026-11-20T10:00:00.5", "2026-11-20T10:00:00é",
    ])
    func `what is no time is refused`(text: String) { #expect(RecordTime(text: text) == nil) }

    @Test func `each moment comes back`() throws {
        let seed = CryptoFixture.seed("times")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let time = RecordTime(
                seconds: .random(in: -62_167_100_000...253_402_200_000, using: &random),
                nanoseconds: .random(in: 0..<1_000_000_000, using: &random),
                offset: .random(in: -1439...1439, using: &random) * 60)
            #expect(RecordTime(text: time.text) == time, "\(seed): \(time.text)")
        }
    }

    @Test func `what no text can say is moved to what one can`() {
        #expect(RecordTime(seconds: .max, nanoseconds: 5).text == "9999-12-31T23:59:59Z")
        #expect(RecordTime(seconds: .min, offset: 3600).text == "0000-01-01T00:00:00+01:00")
        #expect(RecordTime(seconds: 0, nanoseconds: -1, offset: 59).text == "1970-01-01T00:00:00Z")
        #expect(RecordTime(seconds: 0, offset: .max).text == "1970-01-01T23:59:00+23:59")
        #expect(RecordTime(UTCTime(seconds: 1, nanoseconds: 2)).text == "1970-01-01T00:00:01.000000002Z")
    }
}
