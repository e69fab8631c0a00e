import ArgumentParser
import CValisePlatform
import Valise

struct JobsList: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List unfinished and failed jobs.")

    @Flag(help: "Include finished and cancelled jobs.")
    var all = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let jobs = try output.run(ListOperations([.jobs], includesEnded: all)).compactMap(\.job)
        guard !output.json else {
            return try output.print(Result(jobs: jobs.map { JobDocument($0) })) { "" }
        }
        guard !jobs.isEmpty else {
            return try StandardStreams.printLine(all ? "no jobs" : "no unfinished jobs")
        }
        try table(jobs)
    }

    private func table(_ jobs: [Job]) throws {
        let rows: [[Value]] = jobs.map { job in
            [
                .integer(job.id.rawValue), .text(JobText.state(job)), .text(JobText.progress(job)),
                .text(JobText.nextTry(job)), .text(job.title), .text(JobText.reason(job)),
            ]
        }
        let width = StandardStreams.outputIsTerminal ? Int(valise_terminal_width(1)) : nil
        let columns = ["job", "state", "done", "next try", "operation", "reason"]
        try StandardStreams.printLine(TableRows.text(columns, rows, width: width))
    }

    private struct Result: Encodable {
        let type = "jobs"
        let jobs: [JobDocument]
    }
}

struct JobsShow: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a job in detail, with its result.")

    @Argument(help: "The job number.")
    var job: JobID

    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try output.plan(ResumeJob(job))
        try output.print(JobDocument(found)) { JobText.lines(found).joined(separator: "\n") }
    }
}
