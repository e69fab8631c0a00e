import ArgumentParser
import CValisePlatform
import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct JobsWatch: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show how far running jobs are, until none runs.",
        discussion: """
            Shows jobs that other processes run, and changes nothing: on a terminal as one line that is written over \
            and over, else as a line for each change. With --json each line is an object, and the last one a summary.
            """)

    @OptionGroup var output: OutputOptions

    private static let interval: useconds_t = 500_000

    func run() throws {
        guard let queue = try UserJobs.ofUser.existing() else { return try end([]) }
        var line = ProgressLine(isShown: !output.quiet && !output.json && StandardStreams.errorIsTerminal)
        defer { line.clear() }
        var previous: [JobID: Job] = [:]
        while true {
            let running = try queue.jobs(JobFilter(states: [.running])).filter { !$0.isLeft }
            let ended = previous.values.filter { job in !running.contains { $0.id == job.id } }
            for job in ended.sorted(by: { $0.id < $1.id }) {
                line.clear()
                try tell(try queue.job(job.id), after: job)
            }
            for job in running where previous[job.id]?.progress != job.progress || previous[job.id] == nil {
                try show(job)
            }
            if running.isEmpty { return try end(try queue.jobs(.open)) }
            line.show(JobsNarration.line(running.map { ($0, $0.progress ?? OperationProgress("begins")) }))
            previous = Dictionary(running.map { ($0.id, $0) }) { first, _ in first }
            usleep(Self.interval)
            if valise_interrupted() { throw Interruption() }
        }
    }

    /// A line for a change, where there is no line of progress.
    private func show(_ job: Job) throws {
        if output.json {
            return try StandardStreams.printLine(JobStatusLine("progress", job, job.progress).text)
        }
        guard !StandardStreams.errorIsTerminal, !output.quiet else { return }
        let progress = [JobText.progress(job), job.progress?.activity ?? ""].filter { !$0.isEmpty }
        try StandardStreams.printLine("\(JobText.name(job)): \(progress.joined(separator: "  "))")
    }

    /// - Parameter job: nil for one that its command removed when it ended.
    private func tell(_ job: Job?, after previous: Job) throws {
        if output.json {
            let line = JobStatusLine(job == nil ? "removed" : "ended", job ?? previous, nil)
            return try StandardStreams.printLine(line.text)
        }
        let state = job.map(JobText.state) ?? "has ended"
        let reason = job.map(JobText.reason) ?? ""
        try StandardStreams.printLine(
            "\(JobText.name(previous)): \(state)" + (reason.isEmpty ? "" : ": \(reason)"))
    }

    private func end(_ left: [Job]) throws {
        try JobsSummary(JobsNarration.Sums(), left: left).print(output) { summary in
            left.isEmpty ? "no job runs" : "no job runs; \(summary)"
        }
    }
}
