public import ValiseConcurrency
import ValiseFailures
import ValiseMoves

/// What is told of a move beside its progress and its transfers.
public enum MoveNote: OperationNote {
    /// A journal that a crashed program had left was folded into the databases of this account.
    case folded
    /// What was sent before could not be deleted from the relays yet, and is tried again.
    case notDeleted(any Error)
    /// An entry is damaged in what was received, and is left out.
    case damagedEntry(String)

    public var text: String {
        switch self {
        case .folded:
            "a journal that a crashed program had left was folded into the databases of this account"
        case .notDeleted(let error):
            "what was sent before could not be deleted yet, and is tried again: \(error.sentence)"
        case .damagedEntry(let name): "\(name) is damaged in what was received, and is left out"
        }
    }
}

/// Turns what happens during a move into events of an operation.
struct MoveReporter: Sendable {
    private let context: OperationContext
    private let transfers: TransferReporter

    /// - Parameter activity: what relays are used for, such as `sending laptop`.
    init(_ activity: String, _ context: OperationContext) {
        self.context = context
        transfers = TransferReporter(activity, of: .account, context)
    }

    func tell(_ event: MoveEvent) {
        switch event {
        // Whoever asks is told by the records of moves.
        case .entered: break
        case .work(let progress): context.events(.progress(progress))
        case .transfer(let event): transfers.tell(event)
        case .recovered(let recovery): context.note(RecoveryNote(recovery))
        case .folded: context.note(MoveNote.folded)
        case .notDeleted(let error): context.note(MoveNote.notDeleted(error))
        case .damagedEntries(let names):
            for name in names { context.note(MoveNote.damagedEntry(name)) }
        }
    }
}
