import ArgumentParser
import CValisePlatform
import Valise
import ValiseEncoding

struct JobsRun: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Resume all jobs that are due.",
        discussion: """
            Runs what is due, transfers beside archives beside clean-ups, and ends when nothing more can be done now: \
            with status 0; with 3 where a job failed for good, or was done with errors of single entries; with \
            --exit-code and 20 where jobs wait for a later time or for you. Where the end of a job could not be \
            written, on a full disk for one, the status is that of this failure, and the job is run again later. Nobody \
            is asked anything: a job that needs you says so, and 'valise jobs resume' resumes it. A change of an \
            account that was interrupted before it was decided, such as one of the passphrase, is rolled back: give its \
            command again.

            With --watch it goes on until it is interrupted, and runs each job when its time has come; 'valise jobs \
            unit' prints a service for that. What runs when it is stopped is resumed by the next run. With --json \
            it prints a line for each thing that happens, and a summary.
            """)

    @Flag(help: "Go on until interrupted, and wait for jobs whose time comes later.")
    var watch = false

    @Flag(help: "End with status 20 where jobs are left.")
    var exitCode = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let summary = try output.perform {
            [watch, output] (context, work: AsynchronousWork<JobsSummary>) in
            var operation = RunJobs()
            operation.watches = watch
            operation.observer = JobsNarration(work: work, isJSON: output.json).tell
            return try await operation.run(in: context)
        }
        for job in summary.left where !JobKinds.isKnown(job) {
            output.note("\(JobText.name(job)) was written by a newer version of valise, and is left alone")
        }
        try summary.print(output) { $0 }
        if valise_interrupted(), !watch { throw ReportedFailure(failure: Interruption()) }
        if let failure = summary.queueFailure { throw failure }
        if summary.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
        if exitCode, !summary.left.isEmpty { throw ExitStatusError(status: .workDue) }
    }
}

extension JobsSummary {
    /// The last line with `--json`, else a note.
    /// - Parameter note: around the sentence of what is left.
    func print(_ output: OutputOptions, note: (_ text: String) -> String) throws {
        if output.json { return try output.print(self) { "" } }
        output.note(note(text))
    }

    private var text: String {
        let parts = [
            (done, "done"), (rolledBack, "rolled back"), (failed, "failed"), (running, "elsewhere running"),
            (waiting, "waiting"), (needUser, "in need of you"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing was left to do" : "jobs: " + parts.joined(separator: ", ")
    }
}
