import Foundation
import Testing
import ValiseJobQueue

/// Random operations of several workers, users and clocks on a queue, judged by ``JobModel`` after each.
///
/// `VALISE_SOAK=1` lets 10,000 jobs run, `VALISE_SEED` repeats the operations of an earlier run.
struct JobModelTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `whatever happens, each job is done once, none is lost, and order and needs are held`() throws
    {
        let count = Self.environment["VALISE_SOAK"] == nil ? 400 : 10_000
        let seed = Self.environment["VALISE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
        print("seed of the jobs: \(seed)")
        var operations = 0
        let began = ContinuousClock.now
        var world = try JobWorld(seed: seed)
        while world.model.jobs.count < count {
            operations += 1
            try #require(operations < count * 100, "the queue stands still")
            try world.operation()
            // All rows are read for that, so that many jobs are compared less often.
            if operations.isMultiple(of: max(200, count / 2)) { try world.compare() }
        }
        try world.compare()
        try world.endAll()
        try world.compare()
        try world.expectEffects()
        print(
            "\(count) jobs and \(operations) operations with seed \(seed): \(world.tally) in \(ContinuousClock.now - began)"
        )
        // The operations that matter happened.
        for name in [
            "kill", "hang", "reboot", "clock", "lost", "finished", "temporary", "permanent", "taken over",
            "cancelled", "resumed", "retried", "paused",
        ] {
            #expect(world.tally[name, default: 0] > 0, "\(name)")
        }
    }
}
