import ValiseAccounts
import ValiseConcurrency
import ValiseMoves

/// What is kept beside the record of a move, and nobody needs after it.
enum MoveLeftovers {
    /// What cannot be removed does no harm: a relay that nobody starts, a job that says that the move is over.
    static func remove(of location: AccountLocation, _ side: MoveSide, _ context: OperationContext) async {
        try? await BlockingExecutor.shared.run {
            let identity = [JobAccount(location).identity]
            let jobs = UserJobs(context.folders)
            switch side {
            case .sending:
                jobs.cancel(MoveSendJob.kind, identity)
                try? MoveRelay.remove(location, context.folders)
            case .receiving: jobs.cancel(MoveReceiveJob.kind, identity)
            }
        }
    }
}
