import Valise
import ValiseTerminal

/// The state of a move and its next step, as text.
struct MoveStateText {
    let move: MoveSummary

    var lines: [String] {
        let (state, next) = text
        var lines = ["\(heading): \(state)"]
        if move.isRunning { lines.append("  running now\(process)") }
        if let next { lines.append("  next: \(next)") }
        if let words = move.words, showsWords {
            lines.append("  words of this account:")
            lines += NumberedColumns.lines(words.words, indent: 2).map { "  \($0)" }
        }
        return lines.map(\.withoutControls)
    }

    private var process: String { move.process.map { " (PID \($0))" } ?? "" }

    private var heading: String {
        if move.isDamaged { return move.id }
        let way = move.side == .sending ? "to another machine" : "from another machine"
        return "\(move.id)  \(account) \(way)"
    }

    private var account: String { AccountLocation.arguments(move.directory, prefix: move.prefix) }

    private var showsWords: Bool {
        [.linkShown, .finished].contains(move.sendingState)
            || isRenewal || [.proved, .finished].contains(move.receivingState)
    }

    /// Being sent again, while the previous link is still valid.
    private var isRenewal: Bool {
        let states: [SendingState.Name?] = [.archiving, .uploadProgress, .uploadFailed, .linkCreation]
        return states.contains(move.sendingState) && (move.renewals ?? 0) > 0
    }

    private var text: (state: String, next: String?) {
        if move.isDamaged {
            return (
                "unreadable record. No account was changed, and sent data will expire.",
                "valise move forget \(move.id)"
            )
        }
        if move.isNewer { return ("belongs to a newer version of valise", "update this program") }
        if let state = move.sendingState { return text(state) }
        if let state = move.receivingState { return text(state) }
        return (move.state ?? "unknown", nil)
    }

    /// An archive has to be named again; relays are in the record.
    private var archiveOptions: String {
        guard let archive = move.archive else { return "" }
        return " \(ShellWord.option("--to", archive))" + (move.isPacked ? " --pack" : "")
    }

    private var reason: String { move.reason.map { ": \($0)" } ?? "" }

    private func text(_ state: SendingState.Name) -> (String, String?) {
        let again = "valise move send \(account)\(archiveOptions)"
        switch state {
        case .chatStopInProgress, .passphraseConfirmation, .uploadConfirmation:
            return ("started; nothing sent yet", again)
        case .chatStopFailed:
            return ("the account was in use; nothing sent yet", "close the program using it, then \(again)")
        case .passphraseNotSet:
            return (
                "the account has no passphrase, or one that nobody knows",
                "valise key change \(account), then \(again)"
            )
        case .archiving, .uploadProgress, .linkCreation:
            return ("sending\(move.isRunning ? "" : ", interrupted")", move.isRunning ? nil : again)
        case .uploadFailed:
            let finish = "; if it was received by the previous link: valise move finish \(account)"
            return ("sending failed\(reason)", again + (isRenewal ? finish : ""))
        case .linkShown: return linkShown
        case .finishing: return ("retiring the account here", "valise move finish \(account)")
        case .finished:
            return (
                "moved; the account here is retired",
                "to remove this record: valise move forget \(move.id)"
            )
        case .cancelling: return ("being cancelled", "valise move cancel \(account)")
        case .cancelled: return ("cancelled", nil)
        }
    }

    private var linkShown: (String, String?) {
        let finish = "compare the words with the other machine, then run: valise move finish \(account)"
        if let archive = move.archive { return ("in the archive \(archive)", finish) }
        guard let expires = move.expires else { return ("sent", finish) }
        let clock = ExpiryClock(expires: expires)
        if clock.isOver {
            return (
                "expired \(clock.text), unless the relays keep files longer",
                "valise move send \(account) --renew, unless the other machine has it; \(finish)"
            )
        }
        let renew = clock.isNear ? ". To send it again: valise move send \(account) --renew" : ""
        return ("sent\(servedHere); the relays delete it \(clock.text)\(renew)", finish)
    }

    /// For an account that this machine serves, whether the process runs or not.
    private var servedHere: String {
        guard move.isServed(in: .ofUser) else { return "" }
        return ", served by this machine while valise move send \(account) runs"
    }

    private func text(_ state: ReceivingState.Name) -> (String, String?) {
        let again = "valise move receive \(account)"
        switch state {
        case .pasteOrScanLink, .linkDownloading: return ("started; nothing received yet", again)
        case .downloadProgress:
            return ("receiving\(move.isRunning ? "" : ", interrupted")", move.isRunning ? nil : again)
        case .downloadFailed: return ("receiving failed\(reason)", again)
        case .archiveVerification: return ("received, not yet verified", again)
        case .passphrase: return ("received and verified; passphrase needed", again)
        case .archiveImport: return ("importing", again)
        case .archiveImportFailed: return ("import failed\(reason)", again)
        case .migrationConfirmation, .migration: return ("imported; schema migration pending", again)
        case .networkSettings, .proved: return ("imported; last steps pending", again)
        case .finished:
            return (
                "received; to remove this record: valise move forget \(move.id)",
                "compare the words, then on the machine that sent it, run: valise move finish FOLDER"
            )
        case .cancelling: return ("being cancelled", "valise move cancel \(account)")
        case .cancelled: return ("cancelled", nil)
        }
    }
}
