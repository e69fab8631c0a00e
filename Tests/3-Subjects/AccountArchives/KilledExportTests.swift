import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseFiles

/// Whenever an export is killed, and the one that continues it, the archive is the same in the end.
struct KilledExportTests {
    private let export: InterruptedExport
    private let whole: [UInt8]

    init() throws {
        export = try InterruptedExport()
        whole = try export.complete().bytes
    }

    /// What is there under the archive's name is all of it; it goes.
    private func expectWholeOrNothing(_ what: String) throws {
        guard try export.fileSystem.exists(export.archive) else { return }
        #expect(try export.fileSystem.contents(of: export.archive, limit: 1 << 28) == whole, "\(what)")
        try export.fileSystem.remove(export.archive)
    }

    /// - Returns: whether it came to the fault.
    private func run(_ fault: FaultPlan.Fault, at position: Int, _ what: String) throws -> Bool {
        let plan = FaultPlan(fault, at: position)
        _ = try? export.run(FileSystem(interposer: plan))
        try expectWholeOrNothing(what)
        return plan.wasReached
    }

    private func expectCompleted(_ what: String) throws -> [ExportContinuation] {
        let (told, bytes, _) = try export.complete()
        #expect(bytes == whole, "\(what)")
        return told
    }

    @Test func `killed at any operation, and the next run at another one, it is completed by the third`()
        throws
    {
        let count = FaultPlan(.none)
        _ = try export.run(FileSystem(interposer: count))
        try expectWholeOrNothing("without a fault")
        var continued = 0
        var position = 1
        while position <= count.count {
            for fault in FaultSweep.turn(of: [FaultPlan.Fault.crash, .tornWrite], at: position) {
                // All pairs take long; these are spread over them.
                let spread = [5 * position % count.count + 1]
                for second in FaultSweep.isIntact ? Array(1...count.count) : spread {
                    let what = "\(fault) at \(position), then at \(second)"
                    _ = try run(fault, at: position, what)
                    _ = try run(fault, at: second, what)
                    if case .continues = try expectCompleted(what).first { continued += 1 }
                }
            }
            position += 1
        }
        // At the end all of it is durable, whatever the threads did before.
        for position in max(1, count.count - 8)...count.count {
            let what = "crash at \(position)"
            _ = try run(.crash, at: position, what)
            if case .continues = try expectCompleted(what).first { continued += 1 }
        }
        #expect(count.count > 12)
        #expect(continued > 0, "nothing was ever continued")
    }

    @Test func `an operation that fails once leaves a whole archive or none`() throws {
        var position = 1
        var reached = true
        while reached {
            let faults = [FaultPlan.Fault.fail(.ioError), .fail(.noSpace), .shortWrite]
            for fault in FaultSweep.turn(of: faults, at: position) {
                // Of a run that continues another one.
                try export.stop(at: "m6")
                let what = "\(fault) at \(position)"
                reached = try run(fault, at: position, what)
                _ = try expectCompleted(what)
            }
            position += 1
        }
        #expect(position > 6)
    }

    @Test func `without power at any operation of a run that continues one, nothing wrong is kept`() throws {
        var position = 1
        var reached = true
        while reached {
            try export.stop(at: "m5")
            let cut = try PowerCut([export.account.folder.path], at: position)
            _ = try? export.run(FileSystem(interposer: cut), stoppedAt: "m7")
            reached = cut.wasReached
            try cut.leaveWhatIsDurable()
            try expectWholeOrNothing("operation \(position)")
            _ = try expectCompleted("operation \(position)")
            position += 1
        }
        #expect(position > 4)
    }
}
