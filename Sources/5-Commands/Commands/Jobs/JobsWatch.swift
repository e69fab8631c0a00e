import ArgumentParser
import Valise
import ValiseTerminal

struct JobsWatch: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the progress of running jobs until all have ended.",
        discussion: """
            Shows jobs of other processes, and changes nothing. On a terminal, progress is one updated line. Otherwise \
            there is a line for each change. With --json, each line is an object, and the last one is a summary.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let summary = try output.perform { [self] (context, work: AsynchronousWork<JobsSummary>) in
            try await WatchJobs().run(in: context.telling { tell($0, work) })
        }
        try summary.print(output) { summary.left.isEmpty ? "no running jobs" : "no running jobs; \($0)" }
    }

    private func tell(_ change: JobChange, _ work: AsynchronousWork<JobsSummary>) {
        switch change {
        case .started(let job), .progressed(let job, _): line(for: job).map { work.result($0) }
        case .ended(let job), .lost(let job, _): work.result(line(for: job, after: job))
        case .removed(let job): work.result(line(for: nil, after: job))
        case .running(let jobs) where !output.json:
            work.show(JobsNarration.line(jobs.map { ($0, $0.progress ?? OperationProgress("starting")) }))
        case .running: break
        }
    }

    /// Nil if there is a progress line.
    private func line(for job: Job) -> String? {
        if output.json { return try? JobStatusLine("progress", job, job.progress).text }
        guard !StandardStreams.errorIsTerminal, !output.quiet else { return nil }
        let progress = [JobText.progress(job), job.progress?.activity ?? ""].filter { !$0.isEmpty }
        return "\(JobText.name(job)): \(progress.joined(separator: "  "))"
    }

    /// - Parameter job: nil if its command removed it at its end.
    private func line(for job: Job?, after previous: Job) -> String {
        if output.json {
            return (try? JobStatusLine(job == nil ? "removed" : "ended", job ?? previous, nil).text) ?? ""
        }
        let reason = job.map(JobText.reason) ?? ""
        return "\(JobText.name(previous)): \(job.map(JobText.state) ?? "has ended")"
            + (reason.isEmpty ? "" : ": \(reason)")
    }
}
