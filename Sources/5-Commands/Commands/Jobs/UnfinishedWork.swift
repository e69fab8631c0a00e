import ArgumentParser
import ValiseFailures
import ValiseJobQueue

/// What earlier runs left, said in one line when a person begins something else.
enum UnfinishedWork {
    /// Not waited for longer: nobody asked.
    private static let patience: Duration = .milliseconds(50)

    /// Says it, where somebody sees it. A queue that cannot be read says nothing here; whoever needs it does.
    static func tell(before command: any ParsableCommand, _ output: OutputOptions) {
        guard command is any ReportingCommand, !(command is any JobsReporting), !output.quiet, !output.json,
            StandardStreams.errorIsTerminal, !UserJobs.isSwitchedOff, let folder = UserJobs.folder,
            QuietQueue(folder)?.isKnown != true
        else { return }
        // Looking changes the file, so what is remembered comes after.
        switch look() {
        case .left(let sentence): output.note(sentence)
        case .quiet: QuietQueue(folder)?.remember()
        case .unknown: return
        }
    }

    private enum Finding {
        case left(String)
        case quiet
        case unknown
    }

    private static func look() -> Finding {
        guard let queue = try? UserJobs.existing(patience: patience), let all = try? queue.counts(),
            let known = try? queue.counts(kinds: JobKinds.names)
        else { return .unknown }
        return sentence(queue, known, newer: max(0, all.open - known.open)).map { .left($0) } ?? .quiet
    }

    /// - Parameter newer: how many jobs are of kinds that this version does not know: nothing here goes on with them.
    private static func sentence(_ queue: JobQueue, _ counts: JobCounts, newer: Int) -> String? {
        let due = counts[.waiting] + counts.left
        let (waiting, failed) = (counts[.needsPerson], counts[.failed])
        guard due + waiting + failed + newer > 0 else { return nil }
        if due + waiting + failed == 1, newer == 0, let one = single(queue) { return one }
        var parts: [String] = []
        if due > 0 { parts.append("\(Count.text(due, "job")) left unfinished: 'valise jobs run' goes on") }
        if waiting > 0 { parts.append("\(Count.text(waiting, "job")) in need of you") }
        if failed > 0 { parts.append("\(Count.text(failed, "job")) failed") }
        if newer > 0 { parts.append("\(Count.text(newer, "job")) of a newer valise, for that one to do") }
        return parts.joined(separator: ", ") + "; 'valise jobs list' tells more"
    }

    private static func single(_ queue: JobQueue) -> String? {
        let states: Set<JobState> = [.waiting, .running, .needsPerson, .failed]
        let filter = JobFilter(states: states, kinds: JobKinds.names)
        let jobs = (try? queue.jobs(filter))?.filter { $0.state != .running || $0.isLeft }
        guard let job = jobs?.first else { return nil }
        let title = job.title.withoutControls
        return switch job.state {
        case .needsPerson: "1 job needs you: \(title); 'valise jobs resume \(job.id)' goes on with it"
        case .failed: "1 job failed: \(title); 'valise jobs show \(job.id)' tells why"
        default: "1 job was left unfinished: \(title); 'valise jobs run' goes on with it"
        }
    }
}
