package import ValiseConcurrency
import ValiseEncoding
package import ValiseJobQueue

/// A job as JSON. What it is to do in detail is not told: links may be in it.
package struct JobDocument: Encodable, Sendable {
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
    let progress: ProgressDocument?
    let process: Int32?
    let needs: [JobID]
    let created: String
    let changed: String
    /// What its command prints with `--json`, once it is done.
    let result: AnyJSON?
    /// How a change of an account ended that was interrupted: `completed`, `rolledBack` or `unknown`; nil for other jobs.
    let outcome: JobEnding?

    package init(_ job: Job, type: String = "job") {
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
        progress = job.progress.map(ProgressDocument.init)
        process = job.process
        needs = job.needs
        created = UTCTime(seconds: job.created).isoText
        changed = UTCTime(seconds: job.changed).isoText
        outcome = job.operationResult?.ending
        result = job.operationResult.flatMap { try? JSONText.decode(AnyJSON.self, from: $0.json) }
    }
}

/// How far a job is, as JSON.
package struct ProgressDocument: Encodable, Sendable {
    let done: Int64
    let total: Int64?
    let text: String

    package init(_ progress: OperationProgress) {
        done = progress.completed
        total = progress.total
        text = progress.activity
    }
}

/// What happened to a job, as one of the lines of JSON while jobs run.
package struct JobStatusLine: Encodable, Sendable {
    private let type = "status"
    private let event: String
    private let job: JobDocument
    private let progress: ProgressDocument?

    package init(_ event: String, _ job: Job, _ progress: OperationProgress?) {
        self.event = event
        self.job = JobDocument(job)
        self.progress = progress.map(ProgressDocument.init)
    }

    package var text: String { get throws { try JSONText.encode(self) } }
}
