import ValiseAccounts
import ValiseMoves

/// What commands keep beside the record of a move, and nobody needs after it.
enum MoveLeftovers {
    /// What cannot be removed does no harm: a relay that nobody starts, a job that says that the move is over.
    static func remove(of location: AccountLocation, _ side: MoveSide) {
        let identity = [JobAccount(location).identity]
        switch side {
        case .sending:
            UserJobs.giveUp(MoveSendAct.kind, identity)
            try? MoveRelay.remove(location)
        case .receiving: UserJobs.giveUp(MoveReceiveAct.kind, identity)
        }
    }
}
