import Synchronization
import Testing
import ValiseConcurrency

/// What an operation tells, and how it is read.
struct OperationEventsTests {
    @Test func `a slow reader gets every note and the last progress`() async {
        let events = OperationEvents()
        for number in 0..<1000 {
            events.send(OperationProgress("counting", completed: Int64(number)))
            if number % 100 == 0 { events.send(.note(TextNote("\(number)"))) }
        }
        events.send(.entryFailed(EntryFailure("a", CancellationError())))
        events.finish()
        var (notes, progress, failures): ([String], [Int64], [String]) = ([], [], [])
        for await event in events {
            switch event {
            case .progress(let step): progress.append(step.completed)
            case .note(let note): notes.append(note.text)
            case .entryFailed(let failure): failures.append(failure.entry)
            }
        }
        #expect(notes == (0..<10).map { "\($0 * 100)" })
        #expect(progress == [999])
        #expect(failures == ["a"])
    }

    @Test func `notes of many threads arrive while they come`() async {
        let events = OperationEvents()
        async let read = events.reduce(into: 0) { count, event in
            if case .note = event { count += 1 }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for number in 0..<500 { events.send(.note(TextNote("\(number)"))) } }
            }
        }
        events.finish()
        #expect(await read == 4000)
    }

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
