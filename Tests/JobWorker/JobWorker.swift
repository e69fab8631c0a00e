import JobQueue
import SystemPackage

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
        try await runner.run(until: .settled)
    }
}

/// An idempotent act in two steps with a checkpoint between them, and a record that is written with its end.
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
        context.report(JobProgress(done: 1, total: 1))
        let record = JobRequest(kind: "record", payload: job.payload, queue: .maintenance)
        return JobOutcome(result: Array("\(getpid())".utf8), then: [record])
    }
}
