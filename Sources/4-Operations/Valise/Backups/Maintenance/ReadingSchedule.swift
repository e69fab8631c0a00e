import ValiseRepository

/// Which parts of a repository's data are read now, so that all is read in so many days.
///
/// A part a day is due from the day of the first one; what a day missed is made up for. A part in which damage was found stays due
/// until it is read without an error.
struct ReadingSchedule: Sendable, Equatable {
    /// How many parts there are.
    let count: Int
    /// Those that are due, from 1; none where today's was read already.
    let due: Set<Int>

    private static let day: Int64 = 86_400

    /// - Parameters:
    ///   - days: in which all is read.
    ///   - memory: what was read before; nil for nothing.
    ///   - now: in seconds since 1970.
    init(days: Int, _ memory: RepositoryMemory?, now: Int64) {
        count = days
        let read = memory?.partCount == days ? memory?.partsRead ?? [:] : [:]
        let beginning = Self.beginning(read, memory?.lastCompleteReading, now)
        // A timer is late or early by some minutes: days are counted from noon to noon around the moment of the first part.
        let elapsed = Int((Double(now - beginning) / Double(Self.day)).rounded())
        let wanted = min(days, max(0, elapsed + 1)) - read.count
        due = Set((1...max(1, days)).filter { read[$0] == nil }.prefix(max(0, wanted)))
    }

    /// The first day. Clocks may have been set back: what was done later than now is done now.
    private static func beginning(_ read: [Int: Int64], _ lastEnd: Int64?, _ now: Int64) -> Int64 {
        if let first = read.values.min() { return min(first, now) }
        // Not on the day on which the previous round ended.
        guard let next = lastEnd.map({ $0 + day }), (now...now + day).contains(next) else { return now }
        return next
    }

    /// The share of data that is read.
    var share: ReadShare { due.isEmpty ? .none : .parts(due, of: count) }
}

extension RepositoryMemory {
    /// Parts were read without an error.
    mutating func read(_ parts: Set<Int>, of count: Int, at time: Int64) {
        if partCount != count { partsRead = [:] }
        partCount = count
        for part in parts { partsRead[part] = time }
        if partsRead.count == count { readAll(at: time) }
    }

    /// All data was read without an error.
    mutating func readAll(at time: Int64) {
        lastCompleteReading = time
        partsRead = [:]
    }
}
