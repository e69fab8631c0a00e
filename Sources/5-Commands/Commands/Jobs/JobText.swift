import Valise
import ValiseEncoding
import ValiseTerminal

/// Jobs as text.
enum JobText {
    /// The name of a job in a sentence: `job 3 (export of a to b)`.
    static func name(_ job: Job) -> String { "job \(job.id) (\(job.title.withoutControls))" }

    /// The state, in a word or two.
    static func state(_ job: Job) -> String {
        switch job.state {
        case .waiting where job.openNeeds > 0: "waiting for \(Count.text(job.openNeeds, "job"))"
        case .waiting: "waiting"
        case .running where job.isLeft: "interrupted"
        case .running where job.isCancelling: "stopping"
        case .running: "running"
        case .needsUser: "needs you"
        case .finished: job.operationResult?.ending?.state ?? "done"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// The progress; empty if unknown, and for an ended job.
    static func progress(_ job: Job) -> String {
        job.state.isEnded ? "" : job.progress?.percentText ?? ""
    }

    /// The time of the next try; empty if the job does not wait for a time.
    static func nextTry(_ job: Job, now: Int64 = UTCTime.clock()) -> String {
        guard JobKinds.isKnown(job) else { return "" }
        switch job.state {
        case .waiting where job.openNeeds > 0: return ""
        case .waiting: return job.nextTry.map { ShortDuration.until($0 - now) } ?? "now"
        case .running where job.isLeft: return "now"
        default: return ""
        }
    }

    /// Why it is not running.
    static func reason(_ job: Job) -> String {
        guard JobKinds.isKnown(job) else {
            return job.state.isEnded ? "" : "written by a newer version of valise; skipped"
        }
        return job.reason?.withoutControls ?? ""
    }

    // MARK: One in detail

    static func lines(_ job: Job) -> [String] {
        var lines = [name(job), row("state", state(job))]
        lines += optional("reason", reason(job))
        if let next = job.nextTry, job.state == .waiting {
            lines.append(row("next try", "\(UTCTime(seconds: next).isoText), \(nextTry(job))"))
        }
        if job.attempts > 0 { lines.append(row("tries", "\(job.attempts) of \(job.mostAttempts)")) }
        lines += optional("progress", progress(job))
        lines.append(row("kind", "\(job.kind), queue \(job.queue.rawValue)"))
        if let process = job.process, !job.isLeft { lines.append(row("process", "PID \(process)")) }
        if !job.needs.isEmpty {
            lines.append(row("needs", job.needs.map { "job \($0)" }.joined(separator: ", ")))
        }
        lines.append(row("created", UTCTime(seconds: job.created).isoText))
        lines.append(row("updated", UTCTime(seconds: job.changed).isoText))
        if let result = job.operationResult { lines += result.text.split(separator: "\n").map { "  \($0)" } }
        return lines
    }

    private static func optional(_ name: String, _ text: String) -> [String] {
        text.isEmpty ? [] : [row(name, text)]
    }

    private static func row(_ name: String, _ text: String) -> String {
        FieldLine.text(name, text, width: 10)
    }
}
