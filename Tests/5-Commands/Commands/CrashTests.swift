import FaultInjection
import Testing

/// The built program, crashed at its own file operations and at those of SQLite.
@Suite(.enabled(if: Faultline.library != nil))
struct CrashTests {
    @Test(arguments: CrashOperation.allCases)
    func `crashed at an operation, the old state or the new one is there, whole`(_ operation: CrashOperation)
        throws
    {
        let sweep = try CrashSweep(operation, .short)
        try sweep.run()
    }
}

/// Goes through the operations of an operation.
struct CrashSweep {
    /// How much is tried.
    enum Extent {
        /// A sample of the operations, a sixth of those of the end and all of the last ones, a fault at each and all at the
        /// very last; others in each run.
        case short
        /// More of them, and every fault at those of the end.
        case long
        /// Every fault at every operation.
        case whole

        var sample: Int { self == .short ? 4 : 250 }
        var end: Int { self == .short ? 32 : 60 }
        /// The last ones, among which it is decided.
        static let last = 6
    }

    private let world: CrashWorld
    private let extent: Extent

    init(_ operation: CrashOperation, _ extent: Extent) throws {
        world = try CrashWorld(operation)
        self.extent = extent
    }

    func run() throws {
        let points = points()
        var (old, new) = (0, 0)
        for (index, point) in points.enumerated() {
            let runsAgain = extent != .short || index % 8 == 0
            let isNew = try world.crash(point.fault, at: point.number, runsAgain: runsAgain)
            if isNew { new += 1 } else { old += 1 }
        }
        #expect(old > 0 && new > 0)
        print(
            "crashed \(world.operation): \(world.operations) operations, \(points.count) runs, "
                + "\(old) ended in the old state, \(new) in the new one")
    }

    private func points() -> [(number: Int, fault: Faultline.Fault)] {
        let firstOfEnd = max(0, world.operations - extent.end) + 1
        let step = max(1, firstOfEnd / extent.sample)
        let before = Array(stride(from: 1, to: firstOfEnd, by: extent == .whole ? 1 : step))
        let end = Array(firstOfEnd...world.operations)
        switch extent {
        // The operations of a few operations get more faults at each of them.
        case .short where end.count < 10: return points(before + end, faultsAtEach: 4)
        case .short:
            let first = FaultSweep.first(step: 3) - 1
            let some = stride(from: first, to: end.count - Extent.last, by: FaultSweep.step(3)).map {
                end[$0]
            }
            // Behind the last one there is the new state, whatever the fault was.
            return points(before + some + end.suffix(Extent.last).dropLast(), faultsAtEach: 1)
                + points(end.suffix(1), faultsAtEach: .max)
        case .long: return points(before, faultsAtEach: 1) + points(end, faultsAtEach: .max)
        case .whole: return points(before + end, faultsAtEach: .max)
        }
    }

    /// The faults take turns.
    private func points(_ numbers: [Int], faultsAtEach: Int) -> [(number: Int, fault: Faultline.Fault)] {
        let faults = Faultline.Fault.allCases
        let each = min(faultsAtEach, faults.count)
        return numbers.enumerated().flatMap { index, number in
            (0..<each).map { (number, faults[(index * each + $0) % faults.count]) }
        }
    }
}
