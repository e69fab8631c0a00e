public import ValiseAccounts
public import ValiseConcurrency
public import ValiseTransfers

/// What happens during a move, for whoever shows it. Called from several tasks.
public enum MoveEvent: Sendable {
    /// A state was entered, and is durable: a run that is killed now goes on there.
    case entered(MoveStep)
    /// What is done to files and databases.
    case work(OperationProgress)
    /// What is done with relays.
    case transfer(TransferEvent)
    /// What an interrupted act had left of the account was completed or removed.
    case recovered(AccountRecovery)
    /// A crashed program had left a journal, which was folded into the databases: an act of its own, which stays.
    case folded
    /// Entries of the received archive that are damaged and will not arrive.
    case damagedEntries([String])
    /// What was sent before could not be deleted from the relays now; it is tried again with the end of the move.
    case notDeleted(any Error)
}

/// Sees what happens during a move.
public typealias MoveReport = @Sendable (MoveEvent) -> Void

/// A state of either side.
public enum MoveStep: Sendable, Equatable {
    case sending(SendingState)
    case receiving(ReceivingState)
}

/// Which side of a move this machine is.
public enum MoveSide: String, Sendable, Codable, CaseIterable {
    case sending, receiving
}
