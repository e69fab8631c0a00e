package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures

/// Events of a move, apart from its progress and the notes of its transfers.
package enum MoveNote: OperationNote {
    /// An interrupted operation on the account was completed or rolled back.
    case recovered(AccountRecovery)
    /// A journal left by a crashed program was merged into the databases. This is not undone with the move.
    case folded
    /// Damaged entries of the received archive, which are left out.
    case damagedEntries([String])
    /// Previously sent data could not be deleted from the relays. This is retried when the move ends.
    case notDeleted(any Error)

    package var text: String {
        switch self {
        case .recovered: "completed or rolled back an interrupted operation on this account"
        case .folded:
            "merged a journal left by a crashed program into this account's databases"
        case .damagedEntries(let names):
            "left out damaged entries of the received archive: \(names.joined(separator: ", "))"
        case .notDeleted(let error):
            "could not yet delete previously sent data, will retry later: \(error.sentence)"
        }
    }
}

/// A state of either side.
package enum MoveStep: Sendable, Equatable {
    case sending(SendingState)
    case receiving(ReceivingState)
}

/// The side of a move that this machine is on.
public enum MoveSide: String, Sendable, Codable, CaseIterable {
    /// It sends the account, or receives it.
    case sending, receiving
}
