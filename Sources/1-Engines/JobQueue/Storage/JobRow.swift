import ValiseConcurrency
import ValiseDatabase
import ValiseFailures

/// One row of jobs with its lease, as the queries of this folder select it.
struct JobRow {
    let job: Job
    let lease: JobHold?

    static let query = """
        SELECT j.job_id, kind, title, payload, unique_key, queue, attempts, most_attempts, open_needs, state,
            cancelling, due_since_boot, reason, failed_by, progress_done, progress_total, progress_text, checkpoint,
            result, created_at, changed_at,
            (SELECT group_concat(needed_job_id) FROM job_needs n WHERE n.job_id = j.job_id),
            \(JobHold.columns)
        FROM jobs j LEFT JOIN job_leases l ON l.job_id = j.job_id
        """

    init(_ row: borrowing Statement, at time: JobTime, _ processes: JobProcesses) throws(JobQueueError) {
        let column = Columns(row)
        lease = try JobHold(column, from: 22)
        guard let state = JobState(rawValue: try column.text(9)),
            let queue = JobQueueName(rawValue: try column.text(5))
        else { throw column.defect }
        let isRunning = state == .running
        let due = try column.number(11)
        var progress: OperationProgress?
        if let completed = column.optionalNumber(14) {
            progress = OperationProgress(
                try column.text(16), completed: completed, total: column.optionalNumber(15))
        }
        let isPausing = state == .waiting && due > time.sinceBoot
        job = Job(
            id: JobID(rawValue: try column.number(0)), kind: try column.text(1), title: try column.text(2),
            payload: try column.bytes(3), uniqueKey: column.optionalText(4), queue: queue,
            attempts: Int(clamping: try column.number(6)),
            mostAttempts: Int(clamping: try column.number(7)), needs: Self.numbers(column.optionalText(21)),
            openNeeds: Int(clamping: try column.number(8)), state: state,
            isLeft: isRunning && lease?.isLost(at: time, processes) != false,
            isCancelling: try column.number(10) != 0 && isRunning,
            process: isRunning ? lease?.process.number : nil,
            nextTry: isPausing ? (time.wall + due - time.sinceBoot + 999) / 1000 : nil,
            reason: column.optionalText(12), failedBy: column.optionalNumber(13).map(JobID.init(rawValue:)),
            progress: progress, checkpoint: column.optionalBytes(17), result: column.optionalBytes(18),
            created: try column.number(19), changed: try column.number(20))
    }

    /// A job without needs has no list.
    private static func numbers(_ list: String?) -> [JobID] {
        guard let list else { return [] }
        return list.split(separator: ",").compactMap { Int64($0) }.sorted().map(JobID.init(rawValue:))
    }
}

/// What is asked of running jobs every second: a row without the payload, the checkpoint and the result, of which each may
/// be 16 MiB.
struct JobStanding {
    let id: JobID
    let state: JobState
    let isLeft: Bool
    let isCancelling: Bool
    let losses: Int
    let reason: String?
    let lease: JobHold?

    static let query = """
        SELECT j.job_id, state, cancelling, losses, reason, \(JobHold.columns)
        FROM jobs j LEFT JOIN job_leases l ON l.job_id = j.job_id
        """

    init(_ row: borrowing Statement, at time: JobTime, _ processes: JobProcesses) throws(JobQueueError) {
        let column = Columns(row)
        guard let state = JobState(rawValue: try column.text(1)) else { throw column.defect }
        id = JobID(rawValue: try column.number(0))
        self.state = state
        lease = try JobHold(column, from: 5)
        isLeft = state == .running && lease?.isLost(at: time, processes) != false
        isCancelling = try column.number(2) != 0 && state == .running
        losses = Int(clamping: try column.number(3))
        reason = column.optionalText(4)
    }
}

/// Who has a job, and how long.
struct JobHold {
    static let columns = "l.token, l.process, l.process_start, l.process_space, l.boot, l.until_awake"

    let token: Int64
    let process: JobProcess
    let boot: String
    let until: Int64

    /// - Parameter first: where ``columns`` begin.
    fileprivate init?(_ column: Columns, from first: Int) throws(JobQueueError) {
        guard let token = column.optionalNumber(first) else { return nil }
        self.token = token
        process = JobProcess(
            number: Int32(truncatingIfNeeded: try column.number(first + 1)),
            start: try column.number(first + 2),
            space: try column.text(first + 3))
        boot = try column.text(first + 4)
        until = try column.number(first + 5)
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
    func optionalNumber(_ index: Int) -> Int64? { values[index].integer }

    func optionalBytes(_ index: Int) -> [UInt8]? {
        if case .blob(let bytes) = values[index] { bytes } else { nil }
    }

    func text(_ index: Int) throws(JobQueueError) -> String { try known(optionalText(index)) }
    func number(_ index: Int) throws(JobQueueError) -> Int64 { try known(optionalNumber(index)) }
    func bytes(_ index: Int) throws(JobQueueError) -> [UInt8] { try known(optionalBytes(index)) }

    /// The schema forbids NULL, and values of another kind.
    private func known<Value>(_ value: Value?) throws(JobQueueError) -> Value {
        guard let value else { throw defect }
        return value
    }

    var defect: JobQueueError { .damagedRow(optionalNumber(0)) }
}
