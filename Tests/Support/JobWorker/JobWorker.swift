import SystemPackage
import ValiseConcurrency
import ValiseJobQueue

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A process that runs jobs until none is left, for tests that kill it.
///
/// Its argument is a folder: the queue in `jobs`, `made`, where each job makes one file, and `begun`, with a line each time a
/// steady one is begun.
@main
struct JobWorker {
    static func main() async throws {
        let folder = FilePath(CommandLine.arguments[1])
        let settings = JobSettings(firstPause: .milliseconds(5), longestPause: .milliseconds(20))
        let queue = try JobQueue(inFolder: folder.appending("jobs"), settings: settings)
        let runner = JobRunner(
            queue, handlers: [FileMaking(folder: folder.appending("made"), begun: folder.appending("begun"))],
            concurrency: [.transfers: 4, .archives: 3], pause: .milliseconds(20))
        // Later tries, and jobs of other processes, are waited for: their workers may be killed.
        while true {
            try await runner.run(until: .idle)
            let left = try queue.jobs(.open)
            if left.allSatisfy({ $0.state == .needsUser || $0.openNeeds > 0 }) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// An idempotent operation in two steps with a checkpoint between them, whose result says in which order operations ended.
struct FileMaking: JobHandler {
    let kind = "file"
    let folder: FilePath
    let begun: FilePath

    func run(_ job: Job, _ context: JobContext) async throws -> JobOutcome {
        if job.title == "steady" {
            let file = try FileDescriptor.open(
                begun, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll("\(job.id)\n".utf8) }
        }
        let path = folder.appending("\(job.id)")
        if job.checkpoint == nil {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll("\(job.id)".utf8) }
            try context.checkpoint([1])
        }
        if job.title == "flaky", Int.random(in: 0..<3) == 0 { throw JobFailure.temporary("flaky") }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<30)))
        context.report(OperationProgress("", completed: 1, total: 1))
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return JobOutcome(result: Array("\(Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec))".utf8))
    }
}
