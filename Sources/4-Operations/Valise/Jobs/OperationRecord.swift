public import SystemPackage
public import ValiseAccounts
import ValiseFiles
public import ValiseJobQueue
import ValiseMoves
import ValiseTransfers

/// An operation that was begun and has not come to its end, whatever keeps track of it: a job, the journal of an account, the
/// record of a move, or the journal of an upload. One view of all of them; what is on disk stays theirs.
public struct OperationRecord: Sendable, Identifiable {
    /// What keeps track of it.
    public enum Origin: Sendable, Equatable {
        case job(JobID)
        /// The journal of the account at this path.
        case account(FilePath)
        /// The record of the move of this name.
        case move(String)
        /// The journal of the upload of this name.
        case upload(String)
    }

    /// A path that it works on.
    public struct Place: Sendable, Equatable {
        public let path: FilePath
        /// By which the file there is told from another one of the same name; nil where nothing is there.
        public let identity: Identity?

        /// Which file or folder it is.
        public struct Identity: Sendable, Equatable {
            public let inode: UInt64
            /// In bytes.
            public let size: Int64
        }
    }

    /// How far it came.
    public enum State: Sendable, Equatable {
        /// Nothing is decided: what it was about is as it was before.
        case undecided
        /// It is decided: it only is to be completed.
        case decided
        /// A process is at it.
        case running(Int32?)
        /// It waits for its user, or failed.
        case stopped(reason: String?)
    }

    public let origin: Origin
    /// What it is, in a few words.
    public let title: String
    public let places: [Place]
    public let state: State
    /// What stays behind where it is cancelled; nil for nothing, and where that is not known.
    public let leftovers: JobLeftovers?

    public var id: String {
        switch origin {
        case .job(let id): "job \(id)"
        case .account(let path): "account \(path)"
        case .move(let id): "move \(id)"
        case .upload(let id): "upload \(id)"
        }
    }
}

extension OperationRecord {
    /// A job of the queue.
    init(_ job: Job) {
        let operation = JobKinds.operation(of: job)
        origin = .job(job.id)
        title = job.title
        places = (operation?.paths ?? []).map(Place.init)
        leftovers = operation?.leftovers
        state =
            switch job.state {
            case .running where !job.isLeft: .running(job.process)
            case .needsUser, .failed: .stopped(reason: job.reason)
            default: .undecided
            }
    }

    /// What an interrupted change left of an account.
    init(_ recovery: AccountRecovery, of account: AccountLocation) {
        origin = .account(account.directory)
        title = recovery.operation ?? "interrupted change"
        places = [Place(account.directory)]
        leftovers = .pendingChange
        state = recovery.state == .after ? .decided : .undecided
    }

    /// A move that is under way.
    init(_ move: MoveSummary) {
        origin = .move(move.id)
        title = "move of \(move.directory) \(move.side == .sending ? "to" : "from") another machine"
        places = [Place(FilePath(move.directory))]
        leftovers = move.side == .sending ? .sentAccount : .receivedAccount
        let isDecided = move.sendingState == .finishing || move.receivingState == .proved
        state = move.isRunning ? .running(nil) : isDecided ? .decided : .undecided
    }

    /// An upload that was interrupted.
    init(_ upload: InterruptedUpload) {
        origin = .upload(upload.id)
        title = "upload of \(upload.path)"
        places = [Place(FilePath(upload.path))]
        leftovers = .uploadedChunks
        state = upload.isRunning ? .running(nil) : upload.isComplete ? .decided : .undecided
    }
}

extension OperationRecord.Place {
    init(_ path: FilePath) {
        self.path = path
        identity = (try? FileSystem().attributes(of: path)).flatMap { $0 }.map {
            Identity(inode: $0.inode, size: $0.size)
        }
    }
}

/// Lists everything of this user that was begun and has not come to its end.
public struct ListUnfinished: Operation {
    /// Accounts whose journals are looked at too.
    public var accounts: [AccountLocation]

    public init(accounts: [AccountLocation] = []) { self.accounts = accounts }

    public func run(in context: OperationContext) async throws -> [OperationRecord] {
        let jobs = try await ListJobs().run(in: context).map { OperationRecord($0) }
        let recoveries = try await context.blocking { _ in
            try accounts.compactMap { account in
                try AccountRecovery.pending(account).map { OperationRecord($0, of: account) }
            }
        }
        let moves = try await ListMoves().run(in: context).filter(\.isUnderWay).map { OperationRecord($0) }
        let uploads = try await ListUploads().run(in: context).map { OperationRecord($0) }
        return jobs + recoveries + moves + uploads
    }
}
