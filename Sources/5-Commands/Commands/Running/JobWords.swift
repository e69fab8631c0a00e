import Valise

/// What is kept with jobs, as the commands say it.
struct JobWords: JobWording {
    var remedies: RemedyWords { RemedyText.words }

    func text(_ report: any OperationReport) -> String {
        switch report {
        case let report as AlreadyDone: report.sentence
        case let report as ExportReport: Self.lines(ArchiveExportText.text(report), report.archiveErrors)
        case let report as ImportedArchive:
            Self.lines(ImportText.text(report.report, directory: report.account), report.report.archiveErrors)
        case let report as ConvertedMedia: MediaConversionText(report.direction).text(report.report)
        case let report as RecoveredAccount: RecoveredText.text(report)
        case let report as SentFiles: report.files.map(text).joined(separator: "\n")
        case let report as ReceivedFile:
            "received \(report.file.path.string) (\(ByteCount.text(report.file.size)))".withoutControls
        case let report as SentAccountSummary:
            "\(report.account) was sent; \(RemedyCommand.quoted("valise move link \(report.location.arguments)")) shows the link and what comes next"
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
            "sent \(sent.file.name) (\(ByteCount.text(sent.file.size))); its descriptions are in \(sent.descriptions)"
        return (links.flatMap { $0 } + [end.withoutControls]).joined(separator: "\n")
    }

    func reason(_ need: UserNeed, _ job: JobID) -> String {
        let resume = "'valise jobs resume \(job)'"
        switch need {
        case .passphrase(let name, let cause):
            return "the passphrase of \(name) is needed: \(resume) asks for it"
                + (cause.map { " (\(($0 as? any Failure)?.text ?? "\($0)"))" } ?? "")
        case .agreement: return "nobody has agreed to this move yet: \(resume) asks"
        case .changedAccount(let name):
            return
                "\(name) was changed since this import was asked for; look at it, then give the import again, or "
                + "'valise jobs cancel \(job)'"
        case .newerProgram:
            return "a newer version of valise wrote this job; update this one, then \(resume)"
        case .failure(let failure): return reason(CommandError.worded(failure), resume)
        }
    }

    private func reason(_ failure: any Failure, _ resume: String) -> String {
        if case .fileNotApproved = (failure as? FileTransferError)?.kind {
            return "\(failure.text); \(resume) asks, or list them in ~/.config/valise/relays"
        }
        return switch failure.code {
        case .wrongPassphrase: "\(failure.text); \(resume) asks for another passphrase"
        case .noSpace: "\(failure.text); free space, then \(resume)"
        default: "\(failure.text); then \(resume)"
        }
    }
}

extension JobLeftovers {
    /// What it is, and how to remove it.
    var sentence: String {
        switch self {
        case .partialArchive(let path):
            "\(path), if it is there, is what was written so far, and can be removed"
        case .unpackedArchive:
            "'valise account recover' removes what was unpacked beside the account, or completes what was decided"
        case .pendingChange: "the next command that changes this account completes it or cleans up"
        case .convertedMedia: "files that were converted stay as they are now"
        case .uploadedChunks:
            "'valise file send --list' tells whether relays hold parts of it, and --discard removes them"
        case .receivedChunks:
            "what was received is in a hidden folder .valise-receive-… beside the file, and can be removed"
        case .sentAccount: "'valise move status' tells how far it was, and 'valise move cancel' undoes it"
        case .receivedAccount:
            "'valise move status' tells how far it was, and 'valise move cancel' removes what was received"
        }
    }
}
