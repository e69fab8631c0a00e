import ValiseConcurrency
import ValiseFailures
import ValiseMoves

/// What is told of a move beside its progress and its transfers.
package enum MoveNotice: OperationNote {
    /// A journal that a crashed program had left was folded into the databases of this account.
    case folded
    /// What was sent before could not be deleted from the relays yet, and is tried again.
    case notDeleted(any Error)
    /// An entry is damaged in what was received, and is left out.
    case damagedEntry(String)
    /// The other machine may have this account, although the move is cancelled.
    case mayBeReceived

    package var text: String {
        switch self {
        case .folded:
            "applied a journal left by a crash to the account databases"
        case .notDeleted(let error):
            "previously sent data could not be deleted yet; retrying later: \(error.sentence)"
        case .damagedEntry(let name): "\(name) was received damaged and is skipped"
        case .mayBeReceived:
            "the relays no longer offer this account, so the other machine may have received it. Use it on one machine "
                + "only: if it is used on both, messages from its contacts cannot be decrypted."
        }
    }
}

/// Turns what happens during a move into events of an operation.
struct MoveReporter: Sendable {
    private let context: OperationContext
    private let transfers: TransferReporter

    init(_ context: OperationContext) {
        self.context = context
        transfers = TransferReporter(of: .account, context)
    }

    func tell(_ event: OperationEvent) {
        if case .note(let note as MoveNote) = event { tell(note) } else { transfers.tell(event) }
    }

    private func tell(_ note: MoveNote) {
        switch note {
        case .recovered(let recovery): context.note(RecoveryNote(recovery))
        case .folded: context.note(MoveNotice.folded)
        case .notDeleted(let error): context.note(MoveNotice.notDeleted(error))
        case .damagedEntries(let names):
            for name in names { context.note(MoveNotice.damagedEntry(name)) }
        }
    }
}
