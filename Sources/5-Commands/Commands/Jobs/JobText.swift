import Valise
import ValiseEncoding
import ValiseTerminal

extension JobText {
    /// Why it is not running.
    static func reason(_ job: Job) -> String {
        guard JobKinds.isKnown(job) else {
            return job.state.isEnded ? "" : "written by a newer version of valise; skipped"
        }
        return job.reason?.withoutControls ?? ""
    }

    /// What one waits for that the user has to do, and how it is resumed then.
    static func need(_ job: Job) -> String {
        let resume = "valise jobs resume \(job.id)"
        let text = "\(name(job)) is waiting for you: \(reason(job))"
        return text.contains(resume) ? text : [text, "To resume it, run: \(resume)"].asSentences
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
