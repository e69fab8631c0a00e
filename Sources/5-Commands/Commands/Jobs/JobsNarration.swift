import Synchronization
import Valise
import ValiseTerminal

/// Events of several concurrent jobs, as a progress line and result lines.
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

    /// Shows progress, and tells how jobs start and end.
    func tell(_ change: JobChange) {
        switch change {
        case .started(let job):
            update(job, OperationProgress("starting"))
            if isJSON { tell(job, "started") } else { note("\(JobText.name(job)) started") }
        case .progressed(let job, let progress):
            update(job, progress)
            if isJSON { tell(job, "progress", progress) }
        case .ended(let job):
            update(job, nil)
            ended(job)
        case .lost(let job, let error):
            update(job, nil)
            lost(job, error)
        // Of jobs that are only watched.
        case .removed, .running: break
        }
    }

    private func lost(_ job: Job, _ error: any Error) {
        if isJSON { tell(job, "lost") }
        if (error as? JobQueueError)?.kind == .leaseLost {
            return note("this run no longer has \(JobText.name(job)): \(error.sentence)")
        }
        note("cannot save the result of \(JobText.name(job)), which will run again: \(error.sentence)")
    }

    private func ended(_ job: Job) {
        if isJSON { return tell(job, "ended") }
        let name = JobText.name(job)
        switch job.state {
        case .finished:
            result("\(name) \(job.operationResult?.ending?.sentence ?? "is done")")
            job.operationResult.map { result($0.text) }
        case .failed: note("\(name) failed: \(JobText.reason(job))")
        case .needsUser: note(JobText.need(job))
        case .cancelled: note("\(name) was cancelled")
        case .waiting, .running:
            let reason = job.reason.map { [": \($0)", "Next try \(JobText.nextTry(job))."].asSentences }
            note("\(name) did not finish" + (reason ?? " and can be resumed"))
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

    /// A single job as its own command shows it; several jobs in short.
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

extension OperationContext {
    /// The same, where what happens to jobs goes to `body`.
    func telling(_ body: @escaping @Sendable (JobChange) -> Void) -> OperationContext {
        var context = self
        context.events = { [events] event in
            if case .note(let change as JobChange) = event { body(change) } else { events(event) }
        }
        return context
    }
}
