import Database
import Failures

/// One row of jobs with its lease, as the queries of this folder select it.
struct JobRow {
    let job: Job
    let losses: Int
    let lease: JobHold?

    static let query = """
        SELECT j.job_id, kind, title, payload, unique_key, queue, priority, attempts, most_attempts, open_needs, state,
            cancelling, due_since_boot, reason, failed_by, progress_done, progress_total, progress_text, checkpoint,
            result, created_at, changed_at, losses,
            (SELECT group_concat(needed_job_id) FROM job_needs n WHERE n.job_id = j.job_id),
            l.token, l.process, l.process_start, l.process_space, l.boot, l.until_awake
        FROM jobs j LEFT JOIN job_leases l ON l.job_id = j.job_id
        """

    init(_ row: borrowing Statement, at time: JobTime, _ processes: JobProcesses) throws(JobQueueError) {
        let column = Columns(row)
        lease = JobHold(column)
        losses = Int(clamping: column.number(22))
        guard let state = JobState(rawValue: column.text(10)),
            let queue = JobQueueName(rawValue: column.text(5))
        else {
            throw JobQueueError(
                .damaged, .damaged, "the row of a job holds what no version of this program writes",
                subject: "job \(column.number(0))")
        }
        let isRunning = state == .running
        let due = column.number(12)
        let isPausing = state == .waiting && due > time.sinceBoot
        job = Job(
            id: JobID(rawValue: column.number(0)), kind: column.text(1), title: column.text(2),
            payload: column.bytes(3) ?? [], uniqueKey: column.optionalText(4), queue: queue,
            priority: Int(clamping: column.number(6)), attempts: Int(clamping: column.number(7)),
            mostAttempts: Int(clamping: column.number(8)), needs: Self.numbers(column.optionalText(23)),
            openNeeds: Int(clamping: column.number(9)), state: state,
            isLeft: isRunning && lease?.isLost(at: time, processes) != false,
            isCancelling: isRunning && column.number(11) != 0,
            process: isRunning ? lease?.process.number : nil,
            nextTry: isPausing ? (time.wall + due - time.sinceBoot + 999) / 1000 : nil,
            reason: column.optionalText(13), failedBy: column.optionalNumber(14).map(JobID.init(rawValue:)),
            progress: column.optionalNumber(15).map {
                JobProgress(done: $0, total: column.optionalNumber(16), text: column.text(17))
            }, checkpoint: column.bytes(18), result: column.bytes(19), created: column.number(20),
            changed: column.number(21))
    }

    private static func numbers(_ list: String?) -> [JobID] {
        (list ?? "").split(separator: ",").compactMap { Int64($0) }.sorted().map(JobID.init(rawValue:))
    }
}

/// Who has a job, and how long.
struct JobHold {
    let token: Int64
    let process: JobProcess
    let boot: String
    let until: Int64

    fileprivate init?(_ column: Columns) {
        guard let token = column.optionalNumber(24) else { return nil }
        self.token = token
        process = JobProcess(
            number: Int32(truncatingIfNeeded: column.number(25)), start: column.number(26),
            space: column.text(27))
        boot = column.text(28)
        until = column.number(29)
    }

    /// Whether the job is anybody's.
    func isLost(at time: JobTime, _ processes: JobProcesses) -> Bool {
        boot != time.boot || time.awake >= until || processes.isGone(process)
    }
}

/// The values of a row.
private struct Columns {
    private let values: [Value]

    init(_ row: borrowing Statement) {
        var values: [Value] = []
        for index in 0..<row.columnCount { values.append(row.value(index)) }
        self.values = values
    }

    func optionalText(_ index: Int) -> String? { values[index].text }
    func text(_ index: Int) -> String { values[index].text ?? "" }
    func optionalNumber(_ index: Int) -> Int64? { values[index].integer }
    func number(_ index: Int) -> Int64 { values[index].integer ?? 0 }

    func bytes(_ index: Int) -> [UInt8]? {
        if case .blob(let bytes) = values[index] { bytes } else { nil }
    }
}
