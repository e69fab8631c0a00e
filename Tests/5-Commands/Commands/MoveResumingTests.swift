import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise move` where a run is killed, and the same command goes on. `VALISE_SEED` repeats the moments of an earlier run.
struct MoveResumingTests {
    @Test func `both sides are killed again and again, and the account arrives whole`() throws {
        let machines = try MoveMachines(mediaBytes: 20_000_000)
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        let sent = try untilDone(machines.old, machines.sending + ["--json"], nil, &generator)
        let link = try #require(
            (sent.json?["links"] as? [String])?.first, "VALISE_SEED=\(seed) \(sent.errors)")
        let received = try untilDone(machines.new, machines.receiving + ["--json"], link, &generator)
        let words = try MoveMachines.words(received)
        #expect(try words == MoveMachines.words(sent), "VALISE_SEED=\(seed)")
        #expect(try machines.areEqual(), "VALISE_SEED=\(seed)")
        let finishing = ["move", "finish", machines.old.account.string, "--words", words, "--json"]
        var finished = try machines.old.run(finishing, killAfter: .milliseconds(60))
        for _ in 0..<20 where finished.status == -1 {
            finished = try machines.old.run(finishing)
        }
        #expect(
            finished.status == 0 || finished.errors.contains("finished"),
            "VALISE_SEED=\(seed) \(finished.errors)")
        #expect(try machines.old.has("simplex_v1_chat.db.moved"))
        #expect(try machines.relay.contentCount() == 0, "VALISE_SEED=\(seed)")
        // Nothing waits in the queue of jobs either.
        for machine in [machines.old, machines.new] {
            let jobs = try machine.run(["jobs", "list", "--json"])
            #expect(jobs.status == 0 && !jobs.output.contains("move."), "\(jobs.output)")
        }
    }

    private func untilDone(
        _ machine: MoveMachine, _ arguments: [String], _ input: String?,
        _ generator: inout SeededGenerator
    ) throws -> Program.Outcome {
        for _ in 0..<6 {
            let moment = Duration.milliseconds(Int.random(in: 20...700, using: &generator))
            let outcome = try machine.run(arguments, input: input, killAfter: moment)
            if outcome.status != -1 { return outcome }
        }
        return try machine.run(arguments, input: input)
    }

    @Test func `a killed send is resumed over its relays, which nobody names again`() throws {
        let machines = try MoveMachines(mediaBytes: 20_000_000)
        let old = machines.old
        _ = try BusyProgram.run(
            machines.sending, environment: old.environment,
            isBusy: { try BusyProgram.uploads(in: old.home) > 0 }, body: { kill($0, SIGKILL) })
        let resumed = try old.run(["move", "send", old.account.string, "--no-qr", "--yes"] + old.passphrase)
        #expect(resumed.status == 0 && resumed.output.hasPrefix("simplex:/file"), "\(resumed.errors)")
    }

    @Test func `a killed send is a job, with which the next run of jobs goes on`() throws {
        let machines = try MoveMachines(mediaBytes: 20_000_000)
        let home = machines.old.home
        _ = try BusyProgram.run(
            machines.sending, environment: machines.old.environment,
            isBusy: { try BusyProgram.uploads(in: home) > 0 }, body: { kill($0, SIGKILL) })
        let run = try machines.old.run(["jobs", "run"])
        #expect(run.status == 0 && run.output.contains("move link"), "\(run.output)\(run.errors)")
        #expect(!run.output.contains("desc="))
        let shown = try machines.old.run(["move", "link", machines.old.account.string, "--no-qr"])
        #expect(shown.status == 0 && shown.output.hasPrefix("simplex:/file"), "\(shown.errors)")
        #expect(try machines.receive(shown.output).words == shown.words)
    }

    @Test func `a served account survives its sender, under the same link`() throws {
        let machines = try MoveMachines()
        let old = machines.old
        let arguments = ["move", "send", old.account.string, "--yes", "--no-qr"] + old.passphrase
        let first = try MoveServer(arguments + ["--serve", "127.0.0.1"], old.environment)
        #expect(first.link.hasPrefix("simplex:/file"))
        first.kill()
        // It is known how it was sent.
        let second = try MoveServer(arguments, old.environment)
        #expect(second.link == first.link)
        let received = try machines.receive(second.link)
        let (status, errors) = second.end()
        #expect(status == 0 && errors.contains("the other machine has received the account"), "\(errors)")
        let finished = try old.run(["move", "finish", old.account.string, "--words", received.words])
        #expect(
            finished.status == 0 && finished.output.contains("no chunks left"), "\(finished.errors)")
        let relays = old.home.pushing(".local/state/valise/move-relays")
        #expect(try FileSystem().list(relays).isEmpty)
    }
}

/// `valise move send` as a relay, which shows its link and goes on.
final class MoveServer {
    private let process = Process()
    private let errors = Pipe.uninherited()
    private(set) var link = ""

    init(_ arguments: [String], _ environment: [String: String]) throws {
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe.uninherited()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.start()
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        link = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The status, once it has ended by itself, and what it said.
    func end() -> (status: Int32, errors: String) {
        for _ in 0..<300 where process.isRunning { Thread.sleep(forTimeInterval: 0.1) }
        if process.isRunning { process.terminate() }
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    deinit { if process.isRunning { process.terminate() } }
}
