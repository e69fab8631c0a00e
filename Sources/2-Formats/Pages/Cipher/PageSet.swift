/// A set of page numbers, kept as ranges: what is damaged in a file usually lies together.
package struct PageSet: Sendable, Equatable, Codable {
    /// Sorted, apart from each other.
    package private(set) var ranges: [ClosedRange<UInt32>] = []

    package init() {}

    package init(_ pages: some Sequence<UInt32>) {
        for page in pages.sorted() { append(page) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// How many pages there are.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Adds a page with a higher number than all before, or the last one again.
    package mutating func append(_ page: UInt32) {
        guard let last = ranges.last else { return ranges.append(page...page) }
        if last.contains(page) { return }
        precondition(page > last.upperBound, "pages must be added in order")
        if page == last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...page
        } else {
            ranges.append(page...page)
        }
    }

    /// Adds pages with higher numbers than all before.
    /// - Returns: false where they are not higher; nothing is added then.
    @discardableResult
    package mutating func append(_ range: ClosedRange<UInt32>) -> Bool {
        guard let last = ranges.last else {
            ranges.append(range)
            return true
        }
        guard range.lowerBound > last.upperBound else { return false }
        if range.lowerBound == last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...range.upperBound
        } else {
            ranges.append(range)
        }
        return true
    }

    package func contains(_ page: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].contains(page) { return true }
            if ranges[middle].lowerBound > page { high = middle } else { low = middle + 1 }
        }
        return false
    }

    /// All numbers, in their order.
    package var pages: some Sequence<UInt32> { ranges.lazy.joined() }

    /// Such as `3, 7 to 12 and 4 more`.
    package func text(limit: Int = 8) -> String {
        let shown = ranges.prefix(limit).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        let rest = ranges.dropFirst(limit).reduce(0) { $0 + $1.count }
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
