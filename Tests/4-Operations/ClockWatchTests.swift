import Testing
import ValiseEncoding

@testable import Valise

/// What `doctor` says of the system clock.
struct ClockWatchTests {
    private let now = UTCTime(year: 2026, month: 11, day: 26) ?? UTCTime(seconds: 0)

    @Test func `a clock is fine that the system synchronizes, or says nothing of`() {
        for isSynchronized in [true, nil] as [Bool?] {
            let found = ClockWatch.finding(
                at: now, programTime: now.seconds - 1, isSynchronized: isSynchronized)
            #expect(found.state == .ok && found.remedies.isEmpty)
            #expect(found.text.text == "the system clock shows 2026-11-26T00:00:00Z")
        }
    }

    @Test func `a clock that nobody synchronizes is noted`() {
        let found = ClockWatch.finding(at: now, isSynchronized: false)
        #expect(found.state == .note && found.remedies == [.setClock])
        #expect(found.text.text.hasSuffix("the system does not synchronize it"), "\(found.text.text)")
    }

    @Test func `a clock is noted that is more than a day before the program`() {
        let day: Int64 = 86_400
        let near = ClockWatch.finding(at: now, programTime: now.seconds + day, isSynchronized: true)
        #expect(near.state == .ok)
        let far = ClockWatch.finding(at: now, programTime: now.seconds + day + 1, isSynchronized: true)
        #expect(far.state == .note && far.remedies == [.setClock])
        #expect(far.text.text.contains("this program is from 2026-11-27T00:00:01Z"), "\(far.text.text)")
    }

    @Test func `a clock that jumps is noted, and one of another age is a problem`() {
        #expect(ClockWatch.finding(at: now, jump: -3).state == .note)
        #expect(ClockWatch.finding(at: now, jump: 2).state == .ok)
        for seconds in [0, 4_000_000_000] as [Int64] {
            #expect(ClockWatch.finding(at: UTCTime(seconds: seconds)).state == .problem)
        }
    }
}
