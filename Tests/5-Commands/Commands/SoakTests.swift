import FaultInjection
import Foundation
import Testing

/// SIGKILL at random moments, and the long form of the crash tests.
///
/// `VALISE_SOAK=1` runs what takes minutes; `VALISE_SOAK=whole` tries every fault at every operation, which
/// takes hours. `VALISE_SOAK_ACT` limits the latter to one operation. `VALISE_SEED` repeats the moments of an
/// earlier run.
@Suite(.enabled(if: Faultline.library != nil))
struct SoakTests {
    private static let soak = ProcessInfo.processInfo.environment["VALISE_SOAK"]
    private static let operations: [CrashOperation] = {
        let name = ProcessInfo.processInfo.environment["VALISE_SOAK_ACT"]
        return CrashOperation.allCases.filter { name == nil || $0.rawValue == name }
    }()

    @Test func `killed at random moments, the old state or the new one is there, whole`() throws {
        try kill(timesPerAct: 3, mediaBytes: 1_000_000)
    }

    @Test(.enabled(if: soak != nil))
    func `killed hundreds of times, the old state or the new one is there, whole`() throws {
        try kill(timesPerAct: 80, mediaBytes: 4_000_000)
    }

    @Test(.enabled(if: soak != nil))
    func `killed a thousand times, a rekey leaves both databases with one passphrase`() throws {
        try kill([.rekey], timesPerAct: 1000, mediaBytes: 1_000)
    }

    @Test(.enabled(if: soak != nil), arguments: operations)
    func `crashed at every operation, the old state or the new one is there, whole`(
        _ operation: CrashOperation
    ) throws {
        try CrashSweep(operation, Self.soak == "whole" ? .whole : .long).run()
    }

    private func kill(
        _ operations: [CrashOperation] = CrashOperation.killed, timesPerAct: Int, mediaBytes: Int
    ) throws {
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...999_999)
        print("seed of the kills: \(seed)")
        var random = SeededGenerator(seed: seed)
        var endings: [CrashWorld.Ending] = []
        for operation in operations {
            let world = try CrashWorld(operation, mediaBytes: mediaBytes)
            for _ in 0..<timesPerAct {
                let part = Double.random(in: 0...1.2, using: &random)
                endings.append(try world.kill(after: world.duration * part))
                guard endings.count % 50 == 0 else { continue }
                print("\(endings.count) kills, \(endings.count(where: \.isNew)) ended in the new state")
                // A run that is stopped shall have told how far it came.
                fflush(nil)
            }
        }
        print(
            "killed \(endings.count) times with seed \(seed): \(endings.count { !$0.isNew }) ended in the "
                + "old state, \(endings.count { $0.isNew }) in the new one, "
                + "\(endings.count(where: \.isUntouched)) before anything was done")
    }
}
