import Valise
import ValiseEncoding

/// The texts stored with jobs.
struct JobWords: JobWording {
    var remedies: RemedyWords { RemedyText.words }

    func text(_ report: any OperationReport) -> String {
        switch report {
        case let report as AlreadyDone: report.sentence
        case let report as ExportReport: Self.lines(ArchiveExportText.text(report), report.archiveErrors)
        case let report as ImportedArchive:
            Self.lines(ImportText.text(report.report, directory: report.account), report.report.archiveErrors)
        case let report as ConvertedMedia:
            MediaConversionText(direction: report.direction).text(report.report)
        case let report as RecoveredAccount: RecoveredText.text(report)
        case let report as SentFiles: report.files.map(text).joined(separator: "\n")
        case let report as ReceivedFile:
            "received \(report.file.path.string) (\(Count.bytes(report.file.size)))".withoutControls
        case let report as SentAccountSummary:
            "sent \(report.account). For the link and next steps: valise move link \(report.location.arguments)"
                .withoutControls
        case let report as ReceivedAccountReport:
            ReceivedText(location: report.location).text(report.received)
        default: "done"
        }
    }

    private static func lines(_ text: String, _ errors: [ArchiveError]) -> String {
        ([text] + errors.map(ArchiveErrorText.text)).joined(separator: "\n")
    }

    private func text(_ sent: SentFile) -> String {
        let links = (try? sent.webLinks ?? sent.file.appLinks()) ?? []
        let end =
            "sent \(sent.file.name) (\(Count.bytes(sent.file.size))); its descriptions are in \(sent.descriptions)"
        return (links.flatMap { $0 } + [end.withoutControls]).joined(separator: "\n")
    }

    func reason(_ need: UserNeed, _ job: JobID) -> String {
        let resume = "'valise jobs resume \(job)'"
        switch need {
        case .passphrase(let name, let cause):
            let why = cause.map { " (\(($0 as? any Failure)?.text ?? "\($0)"))" } ?? ""
            return "the passphrase for \(name) is required\(why). Run \(resume) to enter it."
        case .agreement: return "this move is not confirmed yet. Run \(resume) to confirm it."
        case .changedAccount(let name):
            return
                "\(name) was changed after this import was requested. Check it, then repeat the import, or run "
                + "'valise jobs cancel \(job)'."
        case .replacedSource(let path):
            return
                "\(path) was replaced by another file after this job was created. Check it, then repeat the command "
                + "that created the job, or run 'valise jobs cancel \(job)'."
        case .newerProgram:
            return
                "this job was written by a newer version of valise. Update this program, then run \(resume)."
        case .failure(let failure): return reason(CommandError.worded(failure), job)
        }
    }

    private func reason(_ failure: any Failure, _ job: JobID) -> String {
        if case .fileNotApproved(let relays) = (failure as? FileTransferError)?.kind {
            return "\(RelayWords.unapproved(relays)). To answer, run: valise jobs resume \(job)"
        }
        let resume = "'valise jobs resume \(job)'"
        let next =
            switch failure.code {
            case .wrongPassphrase: "Run \(resume) to enter another passphrase."
            case .noSpace: "Free some space, then run \(resume)."
            default: "Fix this, then run \(resume)."
            }
        return [failure.text, next].asSentences
    }
}

extension JobLeftovers {
    /// What the leftover files are, and how to remove them.
    var sentence: String {
        switch self {
        case .partialArchive(let path):
            "\(path) and \(path).journal, if present, are temporary files of this job and can be removed. The next export "
                + "to the same name continues or removes them, and one in the same folder removes them after a week"
        case .unpackedArchive:
            "the next command that changes the account removes files unpacked next to it, or completes a committed import"
        case .pendingChange: "the next command that changes this account completes this change or cleans up"
        case .convertedMedia: "files that were already converted stay converted"
        case .uploadedChunks:
            "'valise file send --list' shows whether relays have parts of it, and --discard removes them"
        case .receivedChunks:
            "received data is in a hidden folder .valise-receive-… next to the file and can be removed"
        case .servedChunks(let path): "\(path) has its chunks and can be removed"
        case .sentAccount(let account), .receivedAccount(let account):
            "'valise move status' shows its state, and "
                + RemedyCommand.quoted("valise move cancel \(account.arguments)") + " undoes it"
        }
    }
}
