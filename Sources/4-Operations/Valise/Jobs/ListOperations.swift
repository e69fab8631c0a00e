public import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValiseJobQueue
import ValiseMoves
import ValiseTransfers
import ValiseXFTPClient

/// The operations that were found, or that would be run or cancelled.
public struct OperationList: Sendable {
    /// As their sources list them, or in the order given.
    public let records: [OperationRecord]
}

/// Lists the operations of this user, from all sources. By default only unfinished ones. What a job has of moves and transfers is
/// listed once: as the job.
public struct ListOperations: Operation {
    /// The sources besides account journals.
    public enum Kind: Sendable, CaseIterable {
        /// Jobs of the queue.
        case jobs
        /// The oldest first.
        case moves
        /// Uploads that were interrupted.
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

    public func run(in context: OperationContext) async throws -> OperationList {
        var records = try await context.blocking { _ in
            try jobs(context) + recoveries() + moves(context) + downloads(context) + relays(context)
        }
        if lists(.uploads, context) {
            let states = try TransferStates.folder(context.folders)
            let transfers = FileTransfers(relays: RelayNetwork(), states: states)
            records += try await transfers.interruptedUploads().map { OperationRecord($0) }
        }
        let waiting = records.compactMap { record in record.job.map { (job: $0, places: record.places) } }
            .filter { Self.unfinished.contains($0.job.state) }
        // What a job has of it may say more of the files than the job.
        var parts: [JobID: OperationRecord] = [:]
        let others = records.filter { record in
            guard let whole = waiting.first(where: { Self.has($0.job, at: $0.places, record) }) else {
                return true
            }
            parts[whole.job.id] = record
            return false
        }
        return OperationList(
            records: others.map { record in
                guard let job = record.job, let part = parts[job.id] else { return record }
                return record.completed(by: part)
            })
    }

    /// A list with jobs has no others where no folder is known; who asks for moves or uploads alone is told that.
    private func lists(_ kind: Kind, _ context: OperationContext) -> Bool {
        kinds.contains(kind) && (context.folders.state != nil || !kinds.contains(.jobs))
    }

    /// Whether a job is what resumes a move or an upload.
    private static func has(
        _ job: Job, at places: [OperationRecord.Place], _ record: OperationRecord
    ) -> Bool {
        let kind: String
        switch record.origin {
        case .move(let move): kind = move.side == .sending ? MoveSendJob.kind : MoveReceiveJob.kind
        // The journal that it has open does not say of what it is.
        case .upload(let upload) where upload.isRunning:
            return job.kind == FileUploadJob.kind && job.state == .running
        case .upload: kind = FileUploadJob.kind
        case .job, .account, .download, .servedRelay: return false
        }
        let own = places.map { JobPath($0.path).absolute }
        return job.kind == kind && record.places.contains { own.contains(JobPath($0.path).absolute) }
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
            guard let pending = try AccountRecovery.pending(account) else { return nil }
            let holder = try? LockHolder.ofFolder(account.directory, FileSystem())
            return OperationRecord(pending, of: account, holder: holder)
        }
    }

    private func moves(_ context: OperationContext) throws -> [OperationRecord] {
        guard lists(.moves, context) else { return [] }
        return try MoveStates(context.folders).engine().moves().filter { includesEnded || $0.isUnderWay }
            .map { OperationRecord($0) }
    }
}
