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
        let left = try output.perform { [self] (context, work: AsynchronousWork<[Job]>) in
            var operation = WatchJobs()
            operation.observer = { try tell($0, work) }
            return try await operation.run(in: context)
        }
        try JobsSummary(JobsNarration.Sums(), left: left).print(output) { summary in
            left.isEmpty ? "no job runs" : "no job runs; \(summary)"
        }
    }

    private func tell(_ event: WatchJobs.Event, _ work: AsynchronousWork<[Job]>) throws {
        switch event {
        case .progress(let job): try line(for: job).map(work.result)
        case .ended(let job, let previous): work.result(try line(for: job, after: previous))
        case .running(let jobs):
            guard !output.json else { return }
            work.show(JobsNarration.line(jobs.map { ($0, $0.progress ?? OperationProgress("begins")) }))
        }
    }

    /// Nil where the line of progress shows the same.
    private func line(for job: Job) throws -> String? {
        if output.json { return try JobStatusLine("progress", job, job.progress).text }
        guard !StandardStreams.errorIsTerminal, !output.quiet else { return nil }
        let progress = [JobText.progress(job), job.progress?.activity ?? ""].filter { !$0.isEmpty }
        return "\(JobText.name(job)): \(progress.joined(separator: "  "))"
    }

    /// - Parameter job: nil for one that its command removed when it ended.
    private func line(for job: Job?, after previous: Job) throws -> String {
        if output.json {
            return try JobStatusLine(job == nil ? "removed" : "ended", job ?? previous, nil).text
        }
        let state = job.map(JobText.state) ?? "has ended"
        let reason = job.map(JobText.reason) ?? ""
        return "\(JobText.name(previous)): \(state)" + (reason.isEmpty ? "" : ": \(reason)")
    }
}
