import ArgumentParser
import Valise

struct JobsCancel: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel jobs; remove finished ones from the list.",
        discussion: """
            A running job is asked to stop, and stops at the next safe point. Files from the work done so far are \
            kept; the command says how to remove them.
            """)

    @Argument(help: "The job numbers.")
    var jobs: [JobID]

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = CancelJobs(jobs)
        if dryRun.isAsked {
            let found = try output.plan(operation).records
            return try output.show("jobsCancel", would: found.map(Self.change))
        }
        for cancelled in try output.run(operation).cancelled { try show(cancelled) }
    }

    private func show(_ cancelled: CancelJobs.Cancelled) throws {
        let name = JobText.name(cancelled.job)
        if cancelled.wasRemoved { return try print(cancelled.job, "jobRemoved", "removed \(name)") }
        let isOver = cancelled.job.state == .cancelled
        try print(cancelled.job, "jobCancelled", isOver ? "cancelled \(name)" : "asked \(name) to stop")
        if let leftovers = cancelled.leftovers { output.note(leftovers.sentence) }
    }

    private static func change(_ record: OperationRecord) -> String {
        (record.state == .ended ? "remove from the list: " : "cancel: ") + "\(record.id), \(record.title)"
    }

    private func print(_ job: Job, _ type: String, _ text: String) throws {
        try output.print(JobDocument(job, type: type)) { text }
    }
}

struct JobsRetry: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry failed or cancelled jobs.",
        discussion:
            "Restores all attempts, even of jobs that have used them up. Then run 'valise jobs run'.")

    @Argument(help: "The job numbers.")
    var jobs: [JobID]

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ReleaseJobs(jobs, retries: true)
        if dryRun.isAsked {
            let found = try output.plan(operation).records
            return try output.show("jobsRetry", would: found.map { "retry \($0.id), \($0.title)" })
        }
        for job in try output.run(operation).records.compactMap(\.job) {
            try output.print(JobDocument(job, type: "jobRetried")) {
                "\(JobText.name(job)) is ready again\n\(Hint("run it", command: "jobs run", "").note)"
            }
        }
    }
}
