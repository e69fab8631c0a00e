import Testing
import ValiseConcurrency
import ValiseTerminal

/// When progress gets a line of its own, for screen readers.
struct ProgressLineTests {
    private let start = ContinuousClock.now

    @Test func `not every step of a fast operation gets a line`() {
        var line = ProgressLine(.lines) { $0.activity }
        let shown = (0..<300).filter { moment in
            let progress = OperationProgress("exporting", completed: Int64(moment), total: 300)
            return line.isDue(progress, at: start + .milliseconds(moment * 10))
        }
        #expect(shown == [0, 100, 200])
    }

    @Test func `each tenth of a slow one does, and what shows nothing new does after five seconds`() {
        var line = ProgressLine(.lines) { $0.activity }
        func isDue(_ percent: Int64, _ second: Int) -> Bool {
            line.isDue(
                OperationProgress("exporting", completed: percent, total: 100), at: start + .seconds(second))
        }
        #expect(isDue(0, 0))
        #expect(!isDue(9, 2))
        #expect(isDue(10, 3))
        #expect(!isDue(11, 7))
        #expect(isDue(12, 8))
    }
}
