import Valise
import ValiseTerminal

/// Notes of operations, with the commands that help.
enum NoteText {
    static func text(_ note: any OperationNote) -> String {
        switch note {
        case let note as JobNote: text(note)
        case TransferNotice.warning(.otherForm(let folder)):
            "data of this file from an earlier run cannot be used with this --key-output setting, and was kept in "
                + "\(folder). Remove it if you do not want to resume that run."
        case let note as RelayNote: text(note)
        case let note as NoteOfJob: "job \(note.job): \(text(note.note))"
        case let note as RecoveryNote: note.recovery.done.text
        default: note.text
        }
    }

    /// Of notes that say nothing of it themselves.
    static func hints(_ note: any OperationNote) -> [Hint] {
        switch note {
        case let note as OtherKeyStoreNote:
            let store = ShellWord.option("--store", note.store)
            return [Hint("remove it", command: "key forget", note.account.arguments, options: [store])]
        case let note as NoteOfJob: return hints(note.note)
        case TransferNotice.warning(.kept(let folder)):
            return RemedyCommand.hints(.removeWhenUnneeded(FilePath(folder)))
        case TransferNotice.warning(.onePart): return RemedyCommand.hints(.giveAllLinks)
        case let note as PendingChangeNote:
            return RemedyCommand.hints(.recoverAccount(.init(note.account)))
        default: return []
        }
    }

    private static func text(_ note: JobNote) -> String {
        if case .newerJob(let job) = note {
            return
                "running without a job: job \(job) for the same operation was written by a newer version of valise"
        }
        guard case .kept(let job, _, let needsUser) = note else { return note.text }
        let cancel = "'valise jobs cancel \(job)' to cancel it."
        guard let needsUser else { return [note.text, "Run \(cancel)"].asSentences }
        let command = needsUser ? "valise jobs resume \(job)" : "valise jobs run"
        return [note.text, "Run '\(command)' to resume it, or \(cancel)"].asSentences
    }

    private static func text(_ note: RelayNote) -> String {
        switch note {
        case .servingFile:
            [
                "\(note.text), so keep this running until it is received",
                "Official apps do not confirm receipt: press Control-C afterwards.",
            ].asSentences
        case .servingAccount:
            [
                "\(note.text), so keep this running until the other machine receives it",
                "Control-C stops it; the same command serves the same link again.",
            ].asSentences
        case .accountReceived(let account):
            [note.text, "Compare the words, then run: valise move finish \(account.arguments)"].asSentences
        default: note.text
        }
    }
}
