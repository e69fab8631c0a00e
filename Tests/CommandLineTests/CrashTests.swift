import Testing

/// The built program, crashed at its own file operations and at those of SQLite and libarchive.
@Suite(.enabled(if: Faultline.library != nil))
struct CrashTests {
    @Test(arguments: CrashAct.allCases)
    func `crashed at an operation, the old state or the new one is there, whole`(_ act: CrashAct) throws {
        let sweep = try CrashSweep(act, .short)
        try sweep.run()
    }
}

/// Goes through the operations of an act.
struct CrashSweep {
    /// How much is tried.
    enum Extent {
        /// A sample of the operations and all of the end, a fault at each.
        case short
        /// More of them, and every fault at those of the end.
        case long
        /// Every fault at every operation.
        case whole

        var sample: Int { self == .short ? 10 : 500 }
        var end: Int { self == .short ? 40 : 120 }
    }

    private let world: CrashWorld
    private let extent: Extent

    init(_ act: CrashAct, _ extent: Extent) throws {
        world = try CrashWorld(act)
        self.extent = extent
    }

    func run() throws {
        let points = points()
        var (old, new) = (0, 0)
        for (index, point) in points.enumerated() {
            let runsAgain = extent != .short || index % 8 == 0
            let ending = try world.crash(point.fault, at: point.number, runsAgain: runsAgain)
            if ending.isNew { new += 1 } else { old += 1 }
        }
        #expect(old > 0 && new > 0)
        print(
            "crashed \(world.act): \(world.operations) operations, \(points.count) runs, "
                + "\(old) ended in the old state, \(new) in the new one")
    }

    private func points() -> [(number: Int, fault: Faultline.Fault)] {
        let faults = Faultline.Fault.allCases
        let end = max(0, world.operations - extent.end)
        let step = extent == .whole ? 1 : max(1, end / extent.sample)
        let before = Array(stride(from: 1, through: end, by: step))
        let last = Array(end + 1...world.operations)
        if extent == .short {
            return (before + last).enumerated().map { ($1, faults[$0 % faults.count]) }
        }
        let everywhere = (extent == .whole ? before + last : last).flatMap { number in
            faults.map { (number, $0) }
        }
        let sampled = before.enumerated().map { ($1, faults[$0 % faults.count]) }
        return extent == .whole ? everywhere : sampled + everywhere
    }
}
