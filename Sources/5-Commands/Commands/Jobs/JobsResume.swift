import ArgumentParser
import Valise

struct JobsResume: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume one job in the foreground, asking for input.",
        discussion: """
            Use it for a job that needs your input, for example because its passphrase is not stored, or to run a \
            waiting job now. The passphrase is taken from the options, else from the job's own source; else you are \
            asked for it. With --later, the job is only marked as ready for 'valise jobs run'.
            """)

    @Argument(help: "The job number.")
    var job: JobID

    @Flag(help: "Only mark the job as ready; do not run it now.")
    var later = false

    @Flag(help: "Use any relay of a file being received without asking.")
    var approveRelays = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let found = try output.plan(ResumeJob(job)).job else { return }
        guard JobKinds.isKnown(found) else {
            throw CommandError(
                .unsupported, "this job was written by a newer version of valise", subject: "job \(job)",
                remedy: .updateProgram)
        }
        if dryRun.isAsked {
            return try output.show("jobResume", would: ["resume \(JobText.name(found))"])
        }
        if later { return try letRun(found) }
        var answers = Answers(passphrase, yes: consent.yes)
        answers.isResuming = true
        let user = ResumingUser(passphrase: passphrase.choice, approvesRelays: approveRelays)
        let resumed = try output.run(ResumeJob(job, for: user), answers)
        try end(resumed.job, resumed.failure)
    }

    private func letRun(_ found: Job) throws {
        _ = try output.run(ReleaseJob(job))
        try output.print(JobDocument(found, type: "jobResumed")) {
            "\(JobText.name(found)) is ready\n\(Hint("run it", command: "jobs run", "").note)"
        }
    }

    /// Reports how the job ended. A finished job is removed.
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
                code, [reason, "Next try \(JobText.nextTry(job))."].asSentences, subject: "job \(job.id)")
        }
    }
}
