import Synchronization
import Valise

/// What happens to several jobs at once, as a progress line and lines of results.
final class JobsNarration: Sendable {
    private typealias Running = [JobID: (job: Job, progress: OperationProgress)]

    private let running = Mutex(Running())
    private let showLine: @Sendable (OperationProgress) -> Void
    private let note: @Sendable (String) -> Void
    private let result: @Sendable (String) -> Void
    private let isJSON: Bool

    init<Value: Sendable>(work: AsynchronousWork<Value>, isJSON: Bool = false) {
        showLine = work.show
        note = { work.note($0) }
        result = work.result
        self.isJSON = isJSON
    }

    /// Shows progress alone.
    func show(_ event: JobRunner.Event) {
        switch event {
        case .started(let job): update(job, OperationProgress("begins"))
        case .progress(let job, let progress): update(job, progress)
        case .ended(let job), .lost(let job, _): update(job, nil)
        }
    }

    /// Shows progress, and tells how jobs begin and end.
    func tell(_ event: JobRunner.Event) {
        show(event)
        switch event {
        case .started(let job):
            if isJSON { tell(job, "started") } else { note("\(JobText.name(job)) begins") }
        case .progress(let job, let progress):
            if isJSON { tell(job, "progress", progress) }
        case .ended(let job): ended(job)
        case .lost(let job, let error): lost(job, error)
        }
    }

    private func lost(_ job: Job, _ error: any Error) {
        if isJSON { tell(job, "lost") }
        if (error as? JobQueueError)?.kind == .leaseLost {
            return note("\(JobText.name(job)) is not this run's any more: \(error.sentence)")
        }
        note(
            "how \(JobText.name(job)) ended could not be written, and it is run again later: \(error.sentence)"
        )
    }

    private func ended(_ job: Job) {
        if isJSON { return tell(job, "ended") }
        let name = JobText.name(job)
        switch job.state {
        case .finished:
            result("\(name) \(job.operationResult?.ending?.sentence ?? "is done")")
            job.operationResult.map { result($0.text) }
        case .failed: note("\(name) failed: \(JobText.reason(job))")
        case .needsUser: note("\(name) needs you: \(JobText.reason(job))")
        case .cancelled: note("\(name) was cancelled")
        case .waiting, .running:
            let next = JobText.nextTry(job)
            note(
                "\(name) is not done"
                    + (job.reason.map { ": \($0); next try \(next)" } ?? " and can be resumed"))
        }
    }

    private func tell(_ job: Job, _ event: String) { tell(job, event, job.progress) }

    private func tell(_ job: Job, _ event: String, _ progress: OperationProgress?) {
        if let line = try? JobStatusLine(event, job, progress).text { result(line) }
    }

    // MARK: The line of progress

    private func update(_ job: Job, _ progress: OperationProgress?) {
        let running = running.withLock { running in
            running[job.id] = progress.map { (job, $0) }
            return running.values.sorted { $0.job.id < $1.job.id }
        }
        showLine(Self.line(running))
    }

    /// One job as its command shows it; of several how far each is.
    static func line(_ running: [(job: Job, progress: OperationProgress)]) -> OperationProgress {
        if running.count == 1, let only = running.first {
            var progress = only.progress
            progress.activity += "  (\(JobText.name(only.job)))"
            return progress
        }
        let parts = running.map { job, progress in
            ["job \(job.id)", progress.percentText, progress.activity, progress.paceText]
                .compactMap { $0 }.joined(separator: " ")
        }
        return OperationProgress(parts.joined(separator: " · "))
    }
}
