import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles
import ValiseJobQueue

/// Real processes that run jobs and are killed at random moments, several at once.
///
/// `VALISE_SOAK=1` kills a thousand times, `VALISE_SEED` repeats the moments of an earlier run.
struct WorkerKillTests {
    private static let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)

    private static func start(_ folder: FilePath) throws -> Process {
        let process = Process()
        process.executableURL = Repository.program("job-worker")
        process.arguments = [folder.string]
        process.standardInput = FileHandle.nullDevice
        try process.start()
        return process
    }

    @Test(.enabled(if: OtherProgram.areAllowed))
    func `killed at any moment, workers do each job once, in its order`() throws {
        let kills = Self.isSoak ? 1000 : 40
        print("seed of the workers' kills: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let folder = try TemporaryFolder(inMemory: true)
        try FileSystem().makeDirectory(folder.appending("made"))
        let queue = try JobQueue(inFolder: folder.appending("jobs"))
        var jobs: [Job] = []
        var workers: [Process] = []
        var left = 0
        var (rounds, killed) = (0, 0)
        while try killed < kills || begunAgain(folder) == 0 {
            rounds += 1
            try #require(rounds < kills * 20, "the workers end before they are killed")
            jobs += try add(16, after: jobs, to: queue, &random)
            while workers.count < 3 { workers.append(try Self.start(folder.path)) }
            Thread.sleep(forTimeInterval: .random(in: 0...0.08, using: &random))
            // Those that found nothing to do any more have ended well.
            #expect(workers.allSatisfy { $0.isRunning || $0.terminationStatus == 0 })
            workers.removeAll { !$0.isRunning }
            if workers.isEmpty { continue }
            let victim = workers.remove(at: Int.random(in: 0..<workers.count, using: &random))
            Foundation.kill(victim.processIdentifier, SIGKILL)
            // Sometimes the system still has what is left of it while others look.
            if rounds.isMultiple(of: 2) { victim.waitUntilExit() }
            left += try queue.counts().left
            victim.waitUntilExit()
            if victim.terminationReason == .uncaughtSignal { killed += 1 }
        }
        let again = try begunAgain(folder)
        print(
            "\(killed) kills in \(rounds) rounds, \(left) jobs were seen without their worker, "
                + "steady ones begun again \(again) times")
        #expect(again > 0)
        workers.append(try Self.start(folder.path))
        for worker in workers { worker.waitUntilExit() }
        #expect(workers.last?.terminationStatus == 0)
        try expectAllDone(jobs, queue, folder.appending("made"))
    }

    /// How often a job was begun again that fails for no other reason than that its worker was killed.
    private func begunAgain(_ folder: TemporaryFolder) throws -> Int {
        let file = folder.appending("begun")
        guard try FileSystem().exists(file) else { return 0 }
        let begun = try FileSystem().contents(of: file, limit: 1 << 24).split(separator: UInt8(ascii: "\n"))
        return begun.count - Set(begun).count
    }

    private func add(
        _ count: Int, after previous: [Job], to queue: JobQueue, _ random: inout SeededGenerator
    ) throws -> [Job] {
        var added: [Job] = []
        for _ in 0..<count {
            let needs = (previous.suffix(6) + added).filter { _ in Int.random(in: 0..<4, using: &random) == 0
            }
            let number = previous.count + added.count
            added.append(
                try queue.add(
                    JobRequest(
                        kind: "file", title: Bool.random(using: &random) ? "flaky" : "steady",
                        payload: Array("\(number)".utf8),
                        queue: Bool.random(using: &random) ? .transfers : .archives,
                        mostAttempts: 1000, needs: needs.map(\.id))))
        }
        return added
    }

    private func expectAllDone(_ jobs: [Job], _ queue: JobQueue, _ made: FilePath) throws {
        let ended = try queue.jobs(JobFilter(kinds: ["file"]))
        #expect(ended.map(\.id) == jobs.map(\.id))
        #expect(ended.allSatisfy { $0.state == .finished && $0.result != nil && $0.checkpoint == [1] })
        // What is needed ended before what needs it did.
        let ends = Dictionary(
            uniqueKeysWithValues: ended.map { ($0.id, Int(String(decoding: $0.result ?? [], as: UTF8.self))) }
        )
        for job in ended {
            let mine = try #require(ends[job.id] ?? nil)
            for need in job.needs { #expect((ends[need] ?? nil).map { $0 < mine } == true) }
        }
        let files = try FileSystem().list(made)
        #expect(files.count == jobs.count)
    }
}
