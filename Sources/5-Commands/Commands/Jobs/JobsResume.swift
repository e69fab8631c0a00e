import ArgumentParser
import Valise
import ValiseTerminal

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
        let record = try output.plan(ResumeJob(job))
        guard let found = record.job else { return }
        if dryRun.isAsked {
            return try output.show("jobResume", would: ["resume \(JobText.name(found))"])
        }
        if later { return try release(found) }
        guard case .job(let resumed) = try resume(record) else { return }
        try resumed.requireDone()
        if resumed.job.operationResult?.hasEntryErrors == true {
            throw ExitStatusError(status: .entryErrors)
        }
    }

    private func release(_ found: Job) throws {
        _ = try output.run(ReleaseJobs([job]))
        try output.print(JobDocument(found, type: "jobResumed")) {
            "\(JobText.name(found)) is ready\n\(Hint("run it", command: "jobs run", "").note)"
        }
    }

    private func resume(_ record: OperationRecord) throws -> ResumedOperation {
        var answers = Answers(passphrase, yes: consent.yes)
        answers.isResuming = true
        let user = ResumingUser(passphrase: passphrase.choice, approvesRelays: approveRelays)
        return try output.perform(answers) { [output] (context, work: AsynchronousWork<ResumedOperation>) in
            var operation = ResumeOperation(record, for: user)
            operation.ended = { resumed in
                work.hideProgress()
                try await work.atTerminal { try Self.show(resumed, output) }
            }
            return try await operation.run(in: context)
        }
    }

    /// Shows the result of a job that is done, which then leaves the list.
    private static func show(_ resumed: ResumedOperation, _ output: OutputOptions) throws {
        guard case .job(let resumed) = resumed else { return }
        let result = resumed.job.operationResult
        let type = result?.ending == .rolledBack ? "jobRolledBack" : "jobDone"
        try output.print(JobDocument(resumed.job, type: type)) { result?.text ?? "done" }
    }
}
