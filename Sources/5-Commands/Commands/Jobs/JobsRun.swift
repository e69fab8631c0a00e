import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct JobsRun: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run all pending jobs.",
        discussion: """
            Runs pending jobs until no more can run now. Transfers, archive operations and cleanups run in \
            parallel. The exit status is 0; 3 if a job failed permanently or finished with errors in single entries; \
            20, with --exit-code, if jobs are waiting to be retried or for your input. If the result of a job cannot \
            be saved, for example on a full disk, the status is that of this failure, and the job runs again later.

            The command never prompts. If a job needs your input, it says so: run 'valise jobs resume'. An account \
            change that was interrupted before it was committed, such as a new passphrase, is rolled back. Repeat its \
            command.

            With --watch, the command keeps running until interrupted and runs each job when it is due. 'valise jobs \
            unit' prints a systemd unit for that. Jobs that are stopped with it are resumed by the next run. With \
            --json, it prints one line for each event, and a summary.
            """)

    @Flag(help: "Keep running until interrupted, and run jobs when they are due.")
    var watch = false

    @Flag(help: "Exit with status 20 if jobs are left.")
    var exitCode = false

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        if dryRun.isAsked {
            let jobs = try output.plan(RunJobs()).records
            return try output.show("jobsRun", would: jobs.map { "run \($0.id), \($0.title)" })
        }
        let summary = try output.perform {
            [watch, output] (context, work: AsynchronousWork<JobsSummary>) in
            var operation = RunJobs()
            operation.watches = watch
            let narration = JobsNarration(work: work, isJSON: output.json)
            return try await operation.run(in: context.telling(narration.tell))
        }
        for job in summary.newer {
            output.note("\(JobText.name(job)) was written by a newer version of valise; skipped")
        }
        try summary.print(output) { $0 }
        if summary.isInterrupted { throw ReportedFailure(failure: Interruption()) }
        if let failure = summary.queueFailure { throw failure }
        if summary.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
        if exitCode, !summary.left.isEmpty { throw ExitStatusError(status: .workDue) }
    }
}

extension JobsSummary {
    /// Prints the last line with `--json`, else a note.
    /// - Parameter note: makes the note from the summary.
    func print(_ output: OutputOptions, note: (_ text: String) -> String) throws {
        if output.json { return try output.print(self) { "" } }
        output.note(note(text))
    }

    private var text: String {
        let parts = [
            (done, "done"), (rolledBack, "rolled back"), (failed, "failed"), (running, "running elsewhere"),
            (waiting, "waiting"), (needUser, "waiting for you"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "no pending jobs" : "jobs: " + parts.joined(separator: ", ")
    }
}
