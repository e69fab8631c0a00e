import Testing
import ValiseXFTPWire

struct ResetAllowanceTests {
    @Test func `no more than three streams a second are reset`() {
        var allowance = ResetAllowance()
        let (start, second): (UInt64, UInt64) = (5_000_000_000, 1_000_000_000)
        let times = (0..<10).map { _ in allowance.nextTime(now: start) }
        #expect(times[0...2] == [start, start, start])
        for index in 3..<10 { #expect(times[index] - times[index - 3] >= second) }
        let later = start + 60 * second
        #expect(allowance.nextTime(now: later) == later)
    }
}
