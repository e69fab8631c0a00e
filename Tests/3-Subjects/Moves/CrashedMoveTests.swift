import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMoves

/// The process dies at the n-th operation that changes a file, or the disk is full there; another one goes on.
@Suite struct CrashedMoveTests {
    /// So many places of each operation are tried, spread over it.
    /// With `VALISE_SOAK` every operation.
    private static let samples = FaultSweep.isIntact ? Int.max : 12

    /// A fault at some operation.
    struct Trial: Sendable {
        let position: Int
        let fault: FaultPlan.Fault
    }

    /// Some of the operations from 1 to a count, with a fault for each: others in each run, told by the seed.
    private static func trials(_ count: Int) -> [Trial] {
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("VALISE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let step = max(1, count / samples)
        return stride(from: 1, through: count, by: step).map {
            Trial(
                position: min(count, $0 + Int.random(in: 0..<step, using: &generator)),
                fault: Bool.random(using: &generator) ? .crash : .fail(.noSpace))
        }
    }

    /// How many operations an operation has.
    private func operations(_ body: (FileSystem) async throws -> Void) async throws -> Int {
        let plan = FaultPlan(.none)
        try await body(FileSystem(interposer: plan))
        return plan.count
    }

    /// Runs an operation until it ends: with a fault first.
    private func run<Value: Sendable>(
        _ fault: FaultPlan.Fault, at position: Int, _ body: (FileSystem) async throws -> Value
    ) async throws -> Value {
        let plan = FaultPlan(fault, at: position)
        do {
            return try await body(FileSystem(interposer: plan))
        } catch {
            #expect(plan.wasReached, "operation \(position): \(error)")
            return try await body(FileSystem())
        }
    }

    @Test(
        "Sending goes on after a crash or a full disk at any file operation, and the source is never changed")
    func send() async throws {
        let counted = try MoveBench()
        let count = try await operations { _ = try await counted.send(counted.move(.old, $0)) }
        for trial in Self.trials(count) {
            let (position, fault) = (trial.position, trial.fault)
            let bench = try MoveBench()
            let before = try MoveBench.contents(bench.old)
            let sent = try await run(fault, at: position) { try await bench.send(bench.move(.old, $0)) }
            #expect(try MoveBench.contents(bench.old) == before, "\(fault) at \(position)")
            let received = try await bench.receive(sent.source)
            #expect(received.words == sent.words, "\(fault) at \(position)")
            _ = try await bench.move(.old).finish(bench.old, words: received.words)
            #expect(bench.relays.stored == 0, "\(fault) at \(position)")
        }
    }

    @Test("Receiving goes on after a crash or a full disk at any file operation, and everything arrives")
    func receive() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let count = try await operations { fileSystem in
            _ = try await bench.receive(sent.source, bench.move(.new, fileSystem)) { $0.acknowledges = false }
        }
        for trial in Self.trials(count) {
            let (position, fault) = (trial.position, trial.fault)
            let place = AccountLocation(directory: bench.path.appending("place-\(position)"))
            let received = try await run(fault, at: position) { fileSystem in
                try await bench.receive(sent.source, bench.move(.new, fileSystem), to: place) {
                    $0.acknowledges = false
                }
            }
            #expect(received.words == sent.words, "\(fault) at \(position)")
            var (here, there) = (try MoveBench.contents(bench.old), try MoveBench.contents(place))
            // Its settings are others.
            (here["simplex_v1_chat.db"], there["simplex_v1_chat.db"]) = (nil, nil)
            let areEqual = here == there
            #expect(areEqual, "\(fault) at \(position)")
            let rest = try FileSystem().list(bench.path).compactMap(\.name).filter {
                $0.hasPrefix(".move-")
            }
            #expect(rest.isEmpty, "\(fault) at \(position)")
            try FileSystem().removeTree(place.directory)
        }
    }

    @Test(
        "Finishing goes on after a crash or a full disk at any file operation: the source is whole or retired"
    )
    func finish() async throws {
        let counted = try MoveBench()
        let words = try await counted.send().words
        let count = try await operations { fileSystem in
            _ = try await counted.move(.old, fileSystem).finish(
                counted.old, words: words, removesSource: true)
        }
        for trial in Self.trials(count) {
            let (position, fault) = (trial.position, trial.fault)
            let bench = try MoveBench()
            let sent = try await bench.send()
            let plan = FaultPlan(fault, at: position)
            do {
                _ = try await bench.move(.old, FileSystem(interposer: plan)).finish(
                    bench.old, words: sent.words, removesSource: true)
            } catch {
                #expect(plan.wasReached)
                let isRetired = try RetiredMark.isThere(bench.old, fileSystem: FileSystem())
                let isHere = try FileSystem().exists(bench.old.path(of: .agent))
                let isIntact = try isHere && FileSystem().exists(bench.old.path(of: .chat))
                let state = try bench.move(.old).moves().first?.state
                #expect(
                    isRetired || isIntact || (!isHere && state == "finished"), "\(fault) at \(position)")
                do {
                    let report = try await bench.move(.old).finish(
                        bench.old, words: sent.words, removesSource: true)
                    #expect(report.source == .removed)
                } catch let error as DeviceMigrationError {
                    // It was done but for its last flush.
                    #expect(error.kind == .alreadyFinished, "\(fault) at \(position)")
                }
            }
            #expect(bench.relays.count == 0, "\(fault) at \(position)")
            #expect(try !FileSystem().exists(bench.old.path(of: .chat)), "\(fault) at \(position)")
        }
    }

    @Test("Cancelling what is sent goes on after a crash or a full disk at any file operation")
    func cancel() async throws {
        let counted = try MoveBench()
        _ = try await counted.send()
        let count = try await operations { _ = try await counted.move(.old, $0).cancel(counted.old) }
        for trial in Self.trials(count) {
            let (position, fault) = (trial.position, trial.fault)
            let bench = try MoveBench()
            _ = try await bench.send()
            let plan = FaultPlan(fault, at: position)
            do {
                _ = try await bench.move(.old, FileSystem(interposer: plan)).cancel(bench.old)
            } catch {
                #expect(plan.wasReached)
                do {
                    _ = try await bench.move(.old).cancel(bench.old)
                } catch let error as DeviceMigrationError {
                    // It was done but for its last flush.
                    #expect(error.kind == .noMove, "\(fault) at \(position)")
                }
            }
            #expect(bench.relays.count == 0, "\(fault) at \(position)")
            #expect(try bench.move(.old).moves().isEmpty, "\(fault) at \(position)")
        }
    }

    @Test("Cancelling what is received goes on after a crash or a full disk at any file operation")
    func cancelReception() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        func received(at place: AccountLocation) async throws {
            let killed = bench.move(.new) { if $0 == .receiving(.passphrase) { throw Killed() } }
            await #expect(throws: Killed.self) {
                try await bench.receive(sent.source, killed, to: place)
            }
        }
        try await received(at: bench.new)
        let count = try await operations { _ = try await bench.move(.new, $0).cancel(bench.new) }
        for trial in Self.trials(count) {
            let (position, fault) = (trial.position, trial.fault)
            let place = AccountLocation(directory: bench.path.appending("place-\(position)"))
            try await received(at: place)
            let plan = FaultPlan(fault, at: position)
            do {
                _ = try await bench.move(.new, FileSystem(interposer: plan)).cancel(place)
            } catch {
                #expect(plan.wasReached)
                do {
                    #expect(try await bench.move(.new).cancel(place).accountStays == false)
                } catch let error as DeviceMigrationError {
                    // It was done but for its last flush.
                    #expect(error.kind == .noMove, "\(fault) at \(position)")
                }
            }
            let rest = try FileSystem().list(bench.path).compactMap(\.name)
            #expect(
                rest.allSatisfy { !$0.hasPrefix(".move-") && $0 != "place-\(position)" },
                "\(position): \(rest)")
            #expect(try bench.move(.new).moves().isEmpty, "\(fault) at \(position)")
        }
        // What was sent is there as before.
        #expect(try await bench.receive(sent.source).words == sent.words)
    }
}
