import ArgumentParser
import Valise

struct JobsResume: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume one job here and now, and ask what it needs to know.",
        discussion: """
            For a job that needs you, such as one whose passphrase is nowhere, and for one that waits for its next try. \
            The passphrase comes from the options, else from where the job has it, else you are asked. --later lets it \
            run and leaves that to 'valise jobs run'.
            """)

    @Argument(help: "The number of the job.")
    var job: JobID

    @Flag(help: "Only let it run; do not do it here.")
    var later = false

    @Flag(help: "Use the relays of a file that is received without asking, whoever runs them.")
    var approveRelays = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try output.plan(ResumeJob(job))
        guard JobKinds.isKnown(found) else {
            throw CommandError(
                .unsupported, "a newer version of valise wrote this job; update this one",
                subject: "job \(job)")
        }
        if later { return try letRun(found) }
        var answers = Answers(passphrase)
        answers.isResuming = true
        let resumed = try output.perform(answers) { [self] (context, work: AsynchronousWork<ResumedJob>) in
            var operation = ResumeJob(
                job, for: ResumingUser(passphrase: passphrase.choice, approvesRelays: approveRelays))
            operation.observer = JobsNarration(work: work).show
            return try await operation.run(in: context)
        }
        try end(resumed.job, resumed.failure)
    }

    private func letRun(_ found: Job) throws {
        _ = try output.run(ReleaseJob(job))
        try output.print(JobDocument(found, type: "jobResumed")) {
            "\(JobText.name(found)) can run: 'valise jobs run'"
        }
    }

    /// Tells how it ended. One that is done is told of here, and goes.
    private func end(_ job: Job, _ failure: (any Failure)?) throws {
        let reason = job.reason ?? JobText.state(job)
        let code = failure?.code ?? .failed
        switch job.state {
        case .finished:
            let type = job.operationResult?.ending == .rolledBack ? "jobRolledBack" : "jobDone"
            try output.print(JobDocument(job, type: type)) { job.operationResult?.text ?? "done" }
            _ = try? output.run(CancelJobs([job.id]))
            if job.operationResult?.hasEntryErrors == true { throw ExitStatusError(status: .entryErrors) }
        case .needsUser: throw CommandError(code, reason, subject: "job \(job.id)")
        case .failed: throw CommandError(code, reason, subject: "job \(job.id)")
        case .cancelled: throw CommandError(.interrupted, "the job was cancelled", subject: "job \(job.id)")
        case .waiting, .running:
            guard let reason = job.reason, job.nextTry != nil else { throw Interruption() }
            throw CommandError(
                code, "\(reason); it is tried again \(JobText.nextTry(job))", subject: "job \(job.id)")
        }
    }
}
