/// How many changes of each device a version of a file has seen. A device that is not there has made none.
package struct VectorClock: Hashable, Sendable {
    /// The number of changes by device.
    package private(set) var counters: [String: UInt64]

    package init(_ counters: [String: UInt64] = [:]) { self.counters = counters }

    /// The changes of a device, 0 for one that is not there.
    package subscript(_ device: String) -> UInt64 { counters[device, default: 0] }

    /// Counts one more change of a device. The largest number stays what it is.
    package mutating func tick(_ device: String) {
        let (next, overflow) = self[device].addingReportingOverflow(1)
        if !overflow { counters[device] = next }
    }

    /// Has seen what either has.
    package mutating func merge(_ other: VectorClock) { counters.merge(other.counters) { max($0, $1) } }

    /// How two clocks are to each other.
    package enum Order: Sendable, Hashable {
        /// Both have seen the same, whatever zeros they contain.
        case equal
        /// The other one has seen all of this one, and more.
        case less
        /// This one has seen all of the other one, and more.
        case greater
        /// Each has seen something that the other has not.
        case concurrent
    }

    package func order(to other: VectorClock) -> Order {
        let devices = Set(counters.keys).union(other.counters.keys)
        let isBehind = devices.contains { self[$0] < other[$0] }
        let isAhead = devices.contains { self[$0] > other[$0] }
        switch (isBehind, isAhead) {
        case (false, false): return .equal
        case (true, false): return .less
        case (false, true): return .greater
        case (true, true): return .concurrent
        }
    }
}
