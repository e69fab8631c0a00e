/// Where the chunks of a file lie in it, as far as somebody asked: manifests have no lengths, and each costs a request.
///
/// It grows from both ends, so that the beginning and the end of a large file are found soon.
struct ChunkMap: Sendable {
    private let size: Int64
    private let count: Int
    /// Where each of the first chunks ends.
    private(set) var front: [Int64] = []
    /// Where each of the last chunks begins, the last one first.
    private(set) var back: [Int64] = []

    init(size: Int64, count: Int) {
        self.size = size
        self.count = count
    }

    /// All are known.
    var isComplete: Bool { front.count + back.count >= count }

    /// Whether all that lies in a range is known.
    func covers(_ range: Range<Int64>) -> Bool {
        isComplete || range.upperBound <= frontEnd || range.lowerBound >= backStart
    }

    var frontEnd: Int64 { front.last ?? 0 }
    var backStart: Int64 { back.last ?? size }

    /// The next chunks to ask for, so that the range becomes known with the fewest bytes on the way.
    func next(towards range: Range<Int64>, most: Int) -> (numbers: Range<Int>, isFront: Bool) {
        let unknown = front.count..<(count - back.count)
        let isFront = range.upperBound - frontEnd <= backStart - range.lowerBound
        let share = min(most, unknown.count)
        return isFront
            ? (unknown.lowerBound..<unknown.lowerBound + share, true)
            : (unknown.upperBound - share..<unknown.upperBound, false)
    }

    /// Adds the lengths of the chunks that ``next(towards:most:)`` named, in the order of the file.
    /// - Returns: false where they are more than the file.
    mutating func add(_ lengths: [Int64], isFront: Bool) -> Bool {
        for length in isFront ? lengths : lengths.reversed() {
            guard length >= 0, length <= backStart - frontEnd else { return false }
            if isFront { front.append(frontEnd + length) } else { back.append(backStart - length) }
        }
        // Once all are known, nothing may be between both ends.
        return !isComplete || frontEnd == backStart
    }

    /// The chunks that have a part of a range that is covered.
    func chunks(in range: Range<Int64>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return chunk(at: range.lowerBound)..<chunk(at: range.upperBound - 1) + 1
    }

    /// Where a known chunk lies.
    func range(of number: Int) -> Range<Int64> {
        if number < front.count { return (number == 0 ? 0 : front[number - 1])..<front[number] }
        let place = count - 1 - number
        return back[place]..<(place == 0 ? size : back[place - 1])
    }

    private func chunk(at offset: Int64) -> Int {
        if offset < frontEnd { return Self.first(front.indices) { front[$0] > offset } }
        return count - 1 - Self.first(back.indices) { back[$0] <= offset }
    }

    /// The first index for which something is true that is true for all behind it.
    private static func first(_ indices: Range<Int>, _ isTrue: (Int) -> Bool) -> Int {
        var (low, high) = (indices.lowerBound, indices.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
