import Valise
import ValiseEncoding

/// A job as JSON. What it is to do in detail is not told: links may be in it.
struct JobJSON: Encodable {
    var type = "job"
    let id: JobID
    let kind: String
    /// Whether this version can do it.
    let isKnown: Bool
    let title: String
    let queue: JobQueueName
    let state: JobState
    /// Running by the queue, but nobody is at it: an interrupted one.
    let isLeft: Bool
    let attempts: Int
    let mostAttempts: Int
    /// In UTC; nil where it does not wait for a time.
    let nextTry: String?
    let reason: String?
    let progress: ProgressJSON?
    let process: Int32?
    let needs: [JobID]
    let created: String
    let changed: String
    /// What its command prints with `--json`, once it is done.
    let result: JSONValue?
    /// How a change of an account ended that was interrupted: `completed`, `rolledBack` or `unknown`; nil for other jobs.
    let outcome: JobEnding?

    init(_ job: Job, type: String = "job") {
        self.type = type
        id = job.id
        kind = job.kind
        isKnown = JobKinds.isKnown(job)
        title = job.title
        queue = job.queue
        state = job.state
        isLeft = job.isLeft
        attempts = job.attempts
        mostAttempts = job.mostAttempts
        nextTry = job.nextTry.map { UTCTime(seconds: $0).isoText }
        reason = job.reason
        progress = job.progress.map(ProgressJSON.init)
        process = job.process
        needs = job.needs
        created = UTCTime(seconds: job.created).isoText
        changed = UTCTime(seconds: job.changed).isoText
        outcome = job.operationResult?.ending
        result = job.operationResult.flatMap { try? JSONText.decode(JSONValue.self, from: $0.json) }
    }
}

/// How far a job is, as JSON.
struct ProgressJSON: Encodable {
    let done: Int64
    let total: Int64?
    let text: String

    init(_ progress: OperationProgress) {
        done = progress.completed
        total = progress.total
        text = progress.activity
    }
}
