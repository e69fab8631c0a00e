import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

/// One line about unfinished jobs, shown once before another command runs at a terminal.
enum UnfinishedWorkText {
    /// Prints nothing for a queue that cannot be read: commands that need it report that.
    static func tell(before command: any ParsableCommand, _ output: OutputOptions) {
        guard command is any ReportingCommand, !(command is any JobsReporting), !output.quiet, !output.json,
            StandardStreams.errorIsTerminal, !UserFolders.isQueueSwitchedOff
        else { return }
        if let found = UnfinishedWork.findNews(.ofUser) { output.note(sentence(found)) }
    }

    private static func sentence(_ work: UnfinishedWork) -> String {
        if let job = work.single { return sentence(job) }
        if let title = work.downloads.first { return sentence(title, more: work.downloads.count - 1) }
        var parts: [String] = []
        if work.pending > 0 { parts.append(Count.text(work.pending, "unfinished job")) }
        if work.needUser > 0 { parts.append("\(Count.text(work.needUser, "job")) waiting for you") }
        if work.failed > 0 { parts.append(Count.text(work.failed, "failed job")) }
        if work.newer > 0 { parts.append("\(Count.text(work.newer, "job")) of a newer version of valise") }
        let resume = work.pending > 0 ? "Run 'valise jobs run' to resume. " : ""
        return parts.joined(separator: ", ") + ". \(resume)For details, run: valise jobs list"
    }

    private static func sentence(_ download: String, more: Int) -> String {
        more == 0
            ? "1 interrupted \(download.withoutControls). Receive it again with the same link to resume it."
            : "\(Count.text(more + 1, "interrupted download")). For details, run: valise jobs list"
    }

    private static func sentence(_ job: Job) -> String {
        let title = job.title.withoutControls
        let end = JobKinds.onlyEnds(job) ? "complete it or roll it back" : "resume it"
        return switch job.state {
        case .needsUser: JobText.need(job)
        case .failed: "1 job failed: \(title). To see why, run: valise jobs show \(job.id)"
        default: "1 unfinished job: \(title). To \(end), run: valise jobs run"
        }
    }
}
