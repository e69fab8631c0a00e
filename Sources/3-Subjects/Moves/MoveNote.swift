package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures

/// What happens during a move beside its progress and the notes of its transfers.
package enum MoveNote: OperationNote {
    /// What an interrupted operation had left of the account was completed or removed.
    case recovered(AccountRecovery)
    /// A crashed program had left a journal, which was folded into the databases: an operation of its own, which stays.
    case folded
    /// Entries of the received archive that are damaged and will not arrive.
    case damagedEntries([String])
    /// What was sent before could not be deleted from the relays now; it is tried again with the end of the move.
    case notDeleted(any Error)

    package var text: String {
        switch self {
        case .recovered: "what an interrupted run had left of this account was completed or removed"
        case .folded:
            "a journal that a crashed program had left was folded into the databases of this account"
        case .damagedEntries(let names):
            "damaged in what was received, and left out: \(names.joined(separator: ", "))"
        case .notDeleted(let error):
            "what was sent before could not be deleted yet, and is tried again: \(error.sentence)"
        }
    }
}

/// A state of either side.
package enum MoveStep: Sendable, Equatable {
    case sending(SendingState)
    case receiving(ReceivingState)
}

/// Which side of a move this machine is.
public enum MoveSide: String, Sendable, Codable, CaseIterable {
    case sending, receiving
}
