import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseMoves
import ValiseTransfers

/// What happens during a move, in words and as a progress line.
struct MoveNarration<Listener: TransferListener>: Sendable {
    private let work: Listener
    private let transfers: TransferNarration<Listener>

    init(_ work: Listener) {
        self.work = work
        transfers = TransferNarration(work: work)
    }

    func tell(_ event: OperationEvent) {
        switch event {
        case .note(let note as MoveNote): tell(note)
        case .note(let note as TransferNote): tell(note)
        default: transfers.tell(event)
        }
    }

    private func tell(_ note: MoveNote) {
        switch note {
        case .recovered(let recovery): work.note(recovery.done.text)
        case .folded, .notDeleted: work.note(note.text)
        case .damagedEntries(let names):
            for name in names { work.note("\(name) is damaged in what was received, and is left out") }
        }
    }

    private func tell(_ note: TransferNote) {
        switch note {
        // The file is an archive, and the plan says what is to be known of its size.
        case .named, .warning(.largeFile), .warning(.divided): break
        case .restarted(.sourceChanged):
            work.note("the account was changed since the last run; it is sent anew")
        case .restarted(.tooOld):
            work.note("the last run is too long ago for the relays; the account is sent anew")
        case .restarted(.otherRelays):
            work.note("the last run sent the account to other relays; it is sent anew")
        default: transfers.tell(note)
        }
    }
}
