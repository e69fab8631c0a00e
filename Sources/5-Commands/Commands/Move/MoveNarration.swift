import ValiseAccounts
import ValiseFailures
import ValiseMoves
import ValiseTransfers

/// What happens during a move, in words and as a progress line.
struct MoveNarration<Listener: TransferListener>: Sendable {
    private let work: Listener
    private let transfers: TransferNarration<Listener>

    /// - Parameter activity: what relays are used for, such as `sending laptop`.
    init(_ activity: String, _ work: Listener) {
        self.work = work
        transfers = TransferNarration(activity: activity, work: work)
    }

    func tell(_ event: MoveEvent) {
        switch event {
        // Whoever asks is told by 'move status'.
        case .entered: break
        case .work(let progress): work.show(progress)
        case .transfer(let event): tell(event)
        case .recovered(let recovery): work.note(recovery.done.text)
        case .folded:
            work.note(
                "a journal that a crashed program had left was folded into the databases of this account")
        case .notDeleted(let error):
            work.note("what was sent before could not be deleted yet, and is tried again: \(error.sentence)")
        case .damagedEntries(let names):
            for name in names { work.note("\(name) is damaged in what was received, and is left out") }
        }
    }

    private func tell(_ event: TransferEvent) {
        switch event {
        // The file is an archive, and the plan says what is to be known of its size.
        case .named, .warning(.largeFile), .warning(.divided): break
        case .restarted(.sourceChanged):
            work.note("the account was changed since the last run; it is sent anew")
        case .restarted(.tooOld):
            work.note("the last run is too long ago for the relays; the account is sent anew")
        case .restarted(.otherRelays):
            work.note("the last run sent the account to other relays; it is sent anew")
        default: transfers.tell(event)
        }
    }
}
