import Valise
import ValiseEncoding

/// Where a move is, in plain words.
struct MoveStateText {
    private let move: MoveSummary

    init(_ move: MoveSummary) { self.move = move }

    var lines: [String] {
        let (state, next) = text
        var lines = ["\(heading): \(state)"]
        if move.isRunning { lines.append("  a run is at it at this moment") }
        if let next { lines.append("  next: \(next)") }
        if let words = move.words, showsWords {
            lines.append("  words of this account:")
            lines += ProofWordsText.lines(words.words).map { "  \($0)" }
        }
        return lines.map(\.withoutControls)
    }

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

    /// Sent anew, after a link was shown that is still good.
    private var isRenewal: Bool {
        let states: [SendingState.Name?] = [.archiving, .uploadProgress, .uploadFailed, .linkCreation]
        return states.contains(move.sendingState) && (move.renewals ?? 0) > 0
    }

    private var text: (state: String, next: String?) {
        if move.isDamaged {
            return (
                "its record cannot be read; no account was changed by that, and what was sent expires",
                "valise move forget \(move.id)"
            )
        }
        if move.isNewer { return ("a newer valise is at it", "update this one") }
        if let state = move.sendingState { return text(state) }
        if let state = move.receivingState { return text(state) }
        return (move.state ?? "not known", nil)
    }

    private var reason: String { move.reason.map { ": \($0)" } ?? "" }

    private func text(_ state: SendingState.Name) -> (String, String?) {
        let again = "valise move send \(account)"
        switch state {
        case .chatStopInProgress, .passphraseConfirmation, .uploadConfirmation:
            return ("begun; nothing was sent yet", again)
        case .chatStopFailed:
            return ("the account is in use\(reason)", "close the program that uses it, then \(again)")
        case .passphraseNotSet:
            return (
                "the account has no passphrase, or one that nobody knows",
                "valise key change \(account), then \(again)"
            )
        case .archiving, .uploadProgress, .linkCreation:
            return ("being sent\(move.isRunning ? "" : ", interrupted")", move.isRunning ? nil : again)
        case .uploadFailed:
            let finish =
                "; where the other machine has received by the previous link, valise move finish \(account)"
            return ("sending failed\(reason)", again + (isRenewal ? finish : ""))
        case .linkShown: return linkShown
        case .finishing: return ("being taken out of use here", "valise move finish \(account)")
        case .finished:
            return (
                "moved; the account here is out of use",
                "valise move forget \(move.id), to see it here no more"
            )
        case .cancelling: return ("being cancelled", "valise move cancel \(account)")
        case .cancelled: return ("cancelled", nil)
        }
    }

    private var linkShown: (String, String?) {
        let finish = "compare the words with the other machine, then valise move finish \(account)"
        if let archive = move.archive { return ("in the archive \(archive)", finish) }
        guard let expires = move.expires else { return ("sent", finish) }
        let clock = ExpiryClock(expires: expires)
        if clock.isOver {
            return (
                "expired on the relays \(clock.text), unless they keep things longer",
                "valise move send \(account) --renew, unless the other machine has it; \(finish)"
            )
        }
        let renew = clock.isNear ? "; valise move send \(account) --renew sends it anew" : ""
        return ("sent\(servedHere); the relays delete it \(clock.text)\(renew)", finish)
    }

    /// Of one that a process of this machine serves, whether it runs or not.
    private var servedHere: String {
        guard move.isServed(in: .ofUser) else { return "" }
        return ", and served by this machine as long as valise move send \(account) runs"
    }

    private func text(_ state: ReceivingState.Name) -> (String, String?) {
        let again = "valise move receive \(account)"
        switch state {
        case .pasteOrScanLink, .linkDownloading: return ("begun; nothing was received yet", again)
        case .downloadProgress:
            return ("being received\(move.isRunning ? "" : ", interrupted")", move.isRunning ? nil : again)
        case .downloadFailed: return ("receiving failed\(reason)", again)
        case .archiveVerification: return ("received; being verified", again)
        case .passphrase: return ("received and verified; the passphrase is needed", again)
        case .archiveImport: return ("being put in place", again)
        case .archiveImportFailed: return ("not put in place\(reason)", again)
        case .migrationConfirmation, .migration:
            return ("in place; its schema may have to be migrated", again)
        case .networkSettings, .proved: return ("in place; the last steps are to be done", again)
        case .finished:
            return (
                "received", "compare the words with the other machine, which then runs valise move finish"
            )
        case .cancelling: return ("being cancelled", "valise move cancel \(account)")
        case .cancelled: return ("cancelled", nil)
        }
    }
}
