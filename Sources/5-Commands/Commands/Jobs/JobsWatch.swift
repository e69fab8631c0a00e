import ArgumentParser
import Valise

struct JobsWatch: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show how far running jobs are, until none runs.",
        discussion: """
            Shows jobs that other processes run, and changes nothing: on a terminal as one line that is written over \
            and over, else as a line for each change. With --json each line is an object, and the last one a summary.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let summary = try output.perform { [self] (context, work: AsynchronousWork<JobsSummary>) in
            var operation = WatchJobs()
            operation.observer = { tell($0, work) }
            return try await operation.run(in: context)
        }
        try summary.print(output) { summary.left.isEmpty ? "no job runs" : "no job runs; \($0)" }
    }

    private func tell(_ event: WatchJobs.Event, _ work: AsynchronousWork<JobsSummary>) {
        switch event {
        case .changed(let job): line(for: job).map { work.result($0) }
        case .ended(let job, let now): work.result(line(for: now, after: job))
        case .running(let jobs) where !output.json:
            work.show(JobsNarration.line(jobs.map { ($0, $0.progress ?? OperationProgress("begins")) }))
        case .running: break
        }
    }

    /// Nil where there is a line of progress.
    private func line(for job: Job) -> String? {
        if output.json { return try? JobStatusLine("progress", job, job.progress).text }
        guard !StandardStreams.errorIsTerminal, !output.quiet else { return nil }
        let progress = [JobText.progress(job), job.progress?.activity ?? ""].filter { !$0.isEmpty }
        return "\(JobText.name(job)): \(progress.joined(separator: "  "))"
    }

    /// - Parameter job: nil for one that its command removed when it ended.
    private func line(for job: Job?, after previous: Job) -> String {
        if output.json {
            return (try? JobStatusLine(job == nil ? "removed" : "ended", job ?? previous, nil).text) ?? ""
        }
        let reason = job.map(JobText.reason) ?? ""
        return "\(JobText.name(previous)): \(job.map(JobText.state) ?? "has ended")"
            + (reason.isEmpty ? "" : ": \(reason)")
    }
}
