import ArgumentParser
import Valise
import ValiseTerminal

struct JobsList: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List unfinished and failed jobs.")

    @Flag(help: "Include finished and cancelled jobs.")
    var all = false

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try output.run(ListOperations(includesEnded: all)).records
        let jobs = found.compactMap(\.job)
        let others = found.filter { $0.job == nil }
        guard !output.json else {
            return try output.print(Result(jobs, others)) { "" }
        }
        if jobs.isEmpty {
            try StandardStreams.printText(all ? "no jobs" : "no unfinished jobs")
        } else {
            try table(jobs)
        }
        for line in found.compactMap(LeftOperationText.line) { try StandardStreams.printText(line) }
    }

    private func table(_ jobs: [Job]) throws {
        let rows: [[Value]] = jobs.map { job in
            [
                .integer(job.id.rawValue), .text(JobText.state(job)), .text(JobText.progress(job)),
                .text(JobText.nextTry(job)), .text(job.title),
            ]
        }
        let columns = ["job", "state", "done", "next try", "operation"]
        try StandardStreams.printText(
            TableRows.whole(
                columns, rows, width: StandardStreams.width(of: .standardOutput), title: "job ",
                remarks: jobs.map(JobText.reason)))
    }

    private struct Result: Encodable {
        let type = "jobs"
        let jobs: [JobDocument]
        /// Interrupted operations without a job; missing where there are none.
        let operations: [OperationDocument]?

        init(_ jobs: [Job], _ others: [OperationRecord]) {
            self.jobs = jobs.map { JobDocument($0) }
            operations = others.isEmpty ? nil : others.map { OperationDocument($0) }
        }
    }
}

struct JobsShow: JobsReporting {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a job in detail, with its result.")

    @Argument(help: "The job number.")
    var job: JobID

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let found = try output.run(ShowJob(job)).job else { return }
        try output.print(JobDocument(found)) { JobText.lines(found).joined(separator: "\n") }
    }
}
