import ArgumentParser
import Valise

struct JobsCancel: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Give jobs up; those that have ended are removed from the list.",
        discussion: """
            One that runs is asked to stop, and stops where it leaves nothing half. What it had done so far stays; how \
            to remove that is said.
            """)

    @Argument(help: "The numbers of the jobs.")
    var jobs: [JobID]

    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = CancelJobs(jobs)
        let leftovers = try output.plan(operation).map(\.leftovers)
        for (job, leftovers) in zip(try output.run(operation), leftovers) {
            guard !job.wasRemoved else {
                try print(job.job, "jobRemoved", "removed \(JobText.name(job.job))")
                continue
            }
            let done = job.job.state == .cancelled ? "cancelled" : "asked to stop:"
            try print(job.job, "jobCancelled", "\(done) \(JobText.name(job.job))")
            if let leftovers { output.note(leftovers.sentence) }
        }
    }

    private func print(_ job: Job, _ type: String, _ text: String) throws {
        try output.print(JobDocument(job, type: type)) { text }
    }
}

struct JobsRetry: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Give jobs that failed or were cancelled all their tries again.",
        discussion: "'valise jobs run' tries them; what failed because of them is tried again too.")

    @Argument(help: "The numbers of the jobs.")
    var jobs: [JobID]

    @OptionGroup var output: OutputOptions

    func run() throws {
        // A number that is none changes nothing.
        for id in jobs { _ = try output.plan(ReleaseJob(id)) }
        for id in jobs {
            let job = try output.run(ReleaseJob(id, retries: true))
            try output.print(JobDocument(job, type: "jobRetried")) {
                "\(JobText.name(job)) can run again: 'valise jobs run'"
            }
        }
    }
}
