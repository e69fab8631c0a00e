import Valise

/// What operations tell, with the commands that can be given.
enum NoteText {
    static func text(_ note: any OperationNote) -> String {
        switch note {
        case let note as JobNote: text(note)
        case TransferNotice.warning(.otherForm(let folder)):
            "what an earlier run had received of this file, \(folder), is of no use with this choice of "
                + "--key-output and stays there; remove it if you do not want to resume it"
        case let note as RelayNote: text(note)
        case let note as OtherKeyStoreNote:
            "\(note.text); remove it with 'valise key forget --store \(note.store)'"
        case is PendingChangeNote:
            "\(note.text); run 'valise account recover' first for an answer about both databases"
        case let note as NoteOfJob: "job \(note.job): \(text(note.note))"
        case let note as RecoveryNote: note.recovery.done.text
        default: note.text
        }
    }

    private static func text(_ note: JobNote) -> String {
        if case .newerJob(let job) = note {
            return
                "this runs without a job: a newer version of valise wrote job \(job) about the same, which is left alone"
        }
        guard case .kept(let job, _, let needsUser) = note else { return note.text }
        let command = needsUser ? "valise jobs resume \(job)" : "valise jobs run"
        return note.text + ": '\(command)' resumes it, 'valise jobs cancel \(job)' gives it up"
    }

    private static func text(_ note: RelayNote) -> String {
        switch note {
        case .servingFile:
            note.text
                + "; Control-C stops it, which official apps need, as they do not tell that they have it"
        case .servingAccount:
            note.text + "; Control-C stops it, and the same command serves the same link again"
        case .accountReceived(let account):
            note.text + "; compare the words, then "
                + RemedyCommand.quoted("valise move finish \(account.arguments)")
        default: note.text
        }
    }
}
