import Testing

@testable import Valise

/// Which part of a repository is read on which day.
struct ReadingScheduleTests {
    private static let day: Int64 = 86_400
    private var memory = RepositoryMemory(repository: "", place: "")

    private func due(_ days: Int, _ time: Int64) -> [Int] {
        ReadingSchedule(days: days, memory, now: time).due.sorted()
    }

    @Test func `the first run reads the first part`() {
        #expect(ReadingSchedule(days: 7, nil, now: 5).due == [1])
    }

    @Test mutating func `a timer that is early or late by an hour reads one part each time`() {
        for number in 0..<Int64(6) {
            let time = number * Self.day + (number % 2 == 0 ? 3600 : -3600)
            #expect(due(7, time) == [Int(number) + 1])
            memory.read([Int(number) + 1], of: 7, at: time)
        }
    }

    @Test mutating func `another number of days begins anew`() {
        memory.read([1, 2], of: 7, at: 0)
        #expect(due(5, Self.day) == [1])
        memory.read([1], of: 5, at: Self.day)
        #expect(memory.partsRead.count == 1 && memory.partCount == 5)
    }

    @Test
    mutating func `all are due where none was read for long, and none behind a clock that was set back`() {
        memory.read([1], of: 3, at: 100 * Self.day)
        #expect(due(3, 200 * Self.day) == [2, 3])
        #expect(due(3, 0).isEmpty)
    }

    @Test mutating func `a round begins on the day after the previous one`() {
        memory.readAll(at: 10 * Self.day)
        #expect(due(3, 10 * Self.day + 60).isEmpty)
        #expect(due(3, 11 * Self.day) == [1])
        #expect(due(3, 50 * Self.day) == [1])
        // The clock was set back.
        #expect(due(3, 0) == [1])
    }
}
