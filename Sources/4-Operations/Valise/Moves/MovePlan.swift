public import ValiseAccounts
public import ValiseMoves

/// What would be done with a move, or with an account that was moved.
public struct MovePlan: Sendable {
    /// One thing that would be done.
    public enum Effect: Sendable {
        /// The words of the sent account are compared with those that are given, or that the user is asked for.
        case compareWords(areGiven: Bool)
        /// What was uploaded is deleted from the relays.
        case deleteUpload
        /// The account that was sent is retired.
        case retireAccount(AccountLocation)
        /// The databases and media of the account that was sent are removed.
        case removeAccount(AccountLocation)
        /// A move that is under way is cancelled.
        case cancelMove(MoveSummary)
        /// The record of a move is removed.
        case removeRecord(OperationRecord)
        /// The databases and media of a retired account are removed.
        case removeRetired(AccountLocation)
        /// A retired account is restored, as it was when it was sent. Where that is known, with the time at which it was moved,
        /// as `2026-01-31T12:00:00Z`.
        case restoreRetired(AccountLocation, moved: String?)
    }

    /// In the order in which they would happen; none where nothing would change.
    public let effects: [Effect]
}
