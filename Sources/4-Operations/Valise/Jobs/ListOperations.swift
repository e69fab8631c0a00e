public import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseJobQueue
import ValiseMoves
import ValiseTransfers
import ValiseXFTPClient

/// Lists the operations of this user, from all sources. By default only unfinished ones.
public struct ListOperations: Operation {
    /// The sources besides account journals.
    public enum Kind: Sendable, CaseIterable {
        /// Jobs of the queue.
        case jobs
        /// The oldest first.
        case moves
        /// Uploads without a job that were interrupted.
        case uploads
        /// Downloads without a job that were interrupted.
        case downloads
        /// What is left of relays for one sending, or for one move.
        case relays
    }

    package var kinds: Set<Kind>
    /// Accounts whose journals are looked at too.
    package var accounts: [AccountLocation]
    /// Whether those that came to their end, or were cancelled, are listed as far as anything keeps them.
    package var includesEnded: Bool

    /// - Parameters:
    ///   - kinds: what is listed.
    ///   - accounts: whose journals are read.
    ///   - includesEnded: whether jobs that ended are listed, too.
    public init(
        _ kinds: Set<Kind> = Set(Kind.allCases), accounts: [AccountLocation] = [], includesEnded: Bool = false
    ) {
        self.kinds = kinds
        self.accounts = accounts
        self.includesEnded = includesEnded
    }

    public func run(in context: OperationContext) async throws -> [OperationRecord] {
        var records = try await context.blocking { _ in
            try jobs(context) + recoveries() + moves(context) + downloads(context) + relays(context)
        }
        guard kinds.contains(.uploads) else { return records }
        let states = try TransferStates.folder(context.folders)
        let transfers = FileTransfers(relays: RelayNetwork(), states: states)
        records += try await transfers.interruptedUploads().map { OperationRecord($0) }
        return records
    }

    static let unfinished: Set<JobState> = [.waiting, .running, .needsUser, .failed]

    private func jobs(_ context: OperationContext) throws -> [OperationRecord] {
        guard kinds.contains(.jobs), let queue = try UserJobs(context.folders).existing() else { return [] }
        let states = includesEnded ? nil : Self.unfinished
        return try queue.jobs(JobFilter(states: states)).map { OperationRecord($0) }
    }

    /// Without those that a job has.
    private func downloads(_ context: OperationContext) throws -> [OperationRecord] {
        guard kinds.contains(.downloads), let notes = ReceivingNotes(context.folders) else { return [] }
        return try notes.foundWithoutJob(UserJobs(context.folders)).map { OperationRecord($0) }
    }

    private func relays(_ context: OperationContext) throws -> [OperationRecord] {
        guard kinds.contains(.relays), context.folders.state != nil else { return [] }
        let served = ServedFolder.remains(context.folders).map {
            OperationRecord(remainsOfRelay: $0, title: "relay for files")
        }
        return try served
            + MoveRelay.remains(context.folders).map {
                OperationRecord(remainsOfRelay: $0, title: "relay for a move")
            }
    }

    private func recoveries() throws -> [OperationRecord] {
        try accounts.compactMap { account in
            try AccountRecovery.pending(account).map { OperationRecord($0, of: account) }
        }
    }

    private func moves(_ context: OperationContext) throws -> [OperationRecord] {
        guard kinds.contains(.moves) else { return [] }
        return try MoveStates(context.folders).engine().moves().filter { includesEnded || $0.isUnderWay }
            .map { OperationRecord($0) }
    }
}
