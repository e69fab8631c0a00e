import Testing
import ValiseEncoding

@testable import ValiseRepository

struct LockRecordTests {
    private static let start: Int64 = 1_795_000_000

    private func lock(_ host: String = "alpha", _ pid: Int64 = 42, age: Int64 = 0, exclusive: Bool = false)
        -> LockRecord
    {
        LockRecord(
            time: RecordTime(seconds: Self.start - age), isExclusive: exclusive, hostname: host,
            username: "user",
            processID: pid)
    }

    @Test func `a lock is written as restic writes it`() throws {
        var lock = lock(exclusive: true)
        #expect(
            lock.json
                == #"{"time":"2026-11-18T11:06:40Z","exclusive":true,"hostname":"alpha","username":"user","pid":42}"#
                .json)
        (lock.userID, lock.groupID) = (1000, 100)
        #expect(try LockRecord(lock.json) == lock)
        let other = try LockRecord(
            #"{"time":"2026-11-18T12:06:40.5+01:00","exclusive":false,"hostname":"b","username":"","pid":-3,"x":[]}"#
                .json)
        #expect(other.processID == -3 && !other.isExclusive && other.time.seconds == Self.start)
    }

    @Test(arguments: ["", "{}", "[]", #"{"time":"x"}"#, #"{"time":"2026-11-18T12:06:40Z","pid":1.5}"#])
    func `what is no lock is damage`(text: String) {
        #expect(throws: RepositoryError.self) { try LockRecord(text.json) }
    }

    @Test func `an exclusive lock excludes all others, and all others exclude it`() {
        let (shared, exclusive) = (lock("a"), lock("b", exclusive: true))
        #expect(LockRules.conflict(wantingExclusive: false, among: []) == nil)
        #expect(LockRules.conflict(wantingExclusive: true, among: []) == nil)
        #expect(LockRules.conflict(wantingExclusive: false, among: [shared, shared]) == nil)
        #expect(LockRules.conflict(wantingExclusive: true, among: [shared]) == shared)
        #expect(LockRules.conflict(wantingExclusive: false, among: [shared, exclusive]) == exclusive)
    }

    private func isStale(_ lock: LockRecord, running: Set<Int64> = []) -> Bool {
        LockRules.isStale(
            lock, now: UTCTime(seconds: Self.start), hostname: "alpha", isRunning: running.contains)
    }

    @Test func `stale is what is old, or whose process ended on this machine`() {
        #expect(!isStale(lock("beta")))
        #expect(!isStale(lock("beta", age: 1800)))
        #expect(isStale(lock("beta", age: 1801)))
        #expect(!isStale(lock("alpha", 42, age: 60), running: [42]))
        #expect(isStale(lock("alpha", 42, age: 60), running: [41]))
        #expect(isStale(lock("alpha", 42, age: 1801), running: [42]))
        // A clock is wrong, and nothing says whose.
        #expect(!isStale(lock("beta", age: -86_400)))
        #expect(isStale(lock("alpha", 42, age: -86_400)))
        // Times as far apart as they can be.
        let ancient = LockRecord(
            time: RecordTime(seconds: .min), isExclusive: false, hostname: "beta", username: "", processID: 1)
        #expect(isStale(ancient))
    }

    @Test func `a machine without a name is no machine's`() {
        let lock = lock("")
        #expect(!LockRules.isStale(lock, now: UTCTime(seconds: Self.start), hostname: "") { _ in false })
    }

    @Test func `our lock is refreshed, and work stops where it cannot be`() {
        typealias Moment = LockWatch.Moment
        let at = { (wall: Int64, steady: Int64) in Moment(wall: Self.start + wall, steady: 77 + steady) }
        var watch = LockWatch(written: at(0, 0))
        #expect(watch.step(at(0, 0)) == .work)
        #expect(watch.step(at(299, 299)) == .work)
        #expect(watch.step(at(300, 300)) == .refresh)
        #expect(watch.step(at(1349, 1349)) == .refresh)
        #expect(watch.step(at(1350, 1350)) == .stop)
        // The machine slept: only the time of day went on.
        #expect(watch.step(at(1350, 10)) == .stop)
        // The clock was set back.
        #expect(watch.step(at(-100_000, 400)) == .refresh)
        #expect(watch.step(at(-100_000, 1350)) == .stop)
        watch.refreshed(at(1350, 1350))
        #expect(watch.step(at(1400, 1400)) == .work)
        #expect(
            LockWatch(written: Moment(wall: .min, steady: 0)).step(Moment(wall: .max, steady: 0)) == .stop)
    }
}
