import Testing
import ValiseConcurrency

/// How far an operation is.
struct OperationProgressTests {
    @Test func `progress says how much is done and how long the rest takes`() {
        let step = OperationProgress("sending", completed: 250, total: 1000, rate: 50)
        #expect(step.percent == 25)
        #expect(step.secondsLeft == 15)
        #expect(OperationProgress("sending", completed: 250).percent == nil)
        #expect(OperationProgress("sending", completed: 5, total: 0).percent == nil)
        #expect(OperationProgress("sending", completed: .max, total: .max).percent == 100)
    }

    @Test func `the rate is that of the last seconds, and nothing is said of the first ones`() {
        var meter = RateMeter()
        let start = ContinuousClock.now
        #expect(meter.rate(0, now: start) == nil)
        #expect(meter.rate(100, now: start + .seconds(1)) == nil)
        #expect(meter.rate(200, now: start + .seconds(2)) == 100)
        #expect(meter.rate(200, now: start + .seconds(60)) == nil, "nothing came")
        #expect(meter.rate(100, now: start + .seconds(61)) == nil, "it began anew")
        meter.restart()
        #expect(meter.rate(5000, now: start + .seconds(62)) == nil)
    }
}
