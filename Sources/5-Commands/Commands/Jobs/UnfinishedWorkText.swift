import ArgumentParser
import Valise

/// What earlier runs left, said in one line when somebody begins something else.
enum UnfinishedWorkText {
    /// Says it, where somebody sees it. A queue that cannot be read says nothing here; whoever needs it does.
    static func tell(before command: any ParsableCommand, _ output: OutputOptions) {
        guard command is any ReportingCommand, !(command is any JobsReporting), !output.quiet, !output.json,
            StandardStreams.errorIsTerminal, !UserFolders.isQueueSwitchedOff
        else { return }
        if let found = UnfinishedWork.find(.ofUser) { output.note(sentence(found)) }
    }

    private static func sentence(_ work: UnfinishedWork) -> String {
        if let job = work.single { return sentence(job) }
        var parts: [String] = []
        if work.due > 0 {
            parts.append("\(Count.text(work.due, "job")) left unfinished: 'valise jobs run' goes on")
        }
        if work.needUser > 0 { parts.append("\(Count.text(work.needUser, "job")) in need of you") }
        if work.failed > 0 { parts.append("\(Count.text(work.failed, "job")) failed") }
        if work.newer > 0 {
            parts.append("\(Count.text(work.newer, "job")) of a newer valise, for that one to do")
        }
        return parts.joined(separator: ", ") + "; 'valise jobs list' tells more"
    }

    private static func sentence(_ job: Job) -> String {
        let title = job.title.withoutControls
        return switch job.state {
        case .needsUser: "1 job needs you: \(title); 'valise jobs resume \(job.id)' resumes it"
        case .failed: "1 job failed: \(title); 'valise jobs show \(job.id)' tells why"
        default: "1 job was left unfinished: \(title); 'valise jobs run' resumes it"
        }
    }
}
