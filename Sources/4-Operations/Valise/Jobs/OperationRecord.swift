public import SystemPackage
public import ValiseAccounts
public import ValiseJobQueue
public import ValiseMoves
public import ValiseTransfers

/// An unfinished operation, whatever records it: a job, the journal of an account, the record of a move, the journal of a
/// transfer, or what a relay left. A common view of all of them.
public struct OperationRecord: Sendable, Identifiable {
    /// What records it, with its specific data.
    public enum Origin: Sendable {
        /// A job of the queue.
        case job(Job)
        /// The journal of an account.
        case account(AccountRecovery, of: AccountLocation)
        /// The record of a move.
        case move(MoveSummary)
        /// The journal of an upload.
        case upload(InterruptedUpload)
        /// What was received of a file, in a folder beside its target.
        case download(in: FilePath)
        /// The folder of a relay for one sending, or for one move, whose process was killed.
        case servedRelay(in: FilePath)
    }

    /// A path that it works on.
    package struct Place: Sendable, Equatable {
        /// Where it is.
        package let path: FilePath
        /// Which files were there when the operation began, it or what is in it; empty where its record does not have that.
        package let marks: [MarkedFile]
        /// Those of them that it reads or changes, and does not write.
        private let sources: [MarkedFile]

        /// Whether another file is there now than the one that the operation was asked for.
        package var isReplaced: Bool { sources.contains { $0.isReplaced } }
    }

    /// Its progress.
    public enum State: Sendable, Equatable {
        /// Not committed: nothing has changed yet.
        case undecided
        /// Committed: it only remains to be completed.
        case decided
        /// A process is running it: its ID, where the job or the lock of the record says that.
        case running(Int32?)
        /// It waits for the user, failed, or its record cannot be read.
        case stopped(reason: String?)
        /// It finished or was cancelled.
        case ended
    }

    /// Where it is recorded.
    public let origin: Origin
    /// A short title.
    public let title: String
    /// What it works on.
    package private(set) var places: [Place]
    /// How far it is.
    public let state: State
    /// What stays behind where it is cancelled; nil for nothing, and where that is not known.
    package let leftovers: JobLeftovers?

    /// The paths that it works on.
    public var paths: [FilePath] { places.map(\.path) }

    public var id: String {
        switch origin {
        case .job(let job): "job \(job.id)"
        case .account(_, let account): "account \(account.directory)"
        case .move(let move): "move \(move.id)"
        case .upload(let upload): "upload \(upload.id)"
        case .download(let folder): "download \(folder)"
        case .servedRelay(let folder): "relay \(folder)"
        }
    }

    /// Nil for what is no job.
    package var job: Job? { if case .job(let job) = origin { job } else { nil } }

    /// Nil for what is no interrupted change of an account.
    package var recovery: AccountRecovery? {
        if case .account(let recovery, _) = origin { recovery } else { nil }
    }

    /// Nil for what is no move.
    package var move: MoveSummary? { if case .move(let move) = origin { move } else { nil } }

    /// Nil for what is no upload.
    package var upload: InterruptedUpload? { if case .upload(let upload) = origin { upload } else { nil } }
}

extension OperationRecord {
    /// A job of the queue.
    init(_ job: Job) {
        let operation = JobKinds.operation(of: job)
        origin = .job(job)
        title = job.title
        let (sources, targets) = (SourceMarks.of(job), operation?.targets ?? [])
        places = (operation?.paths ?? []).map { Place($0, sources: sources, targets: targets) }
        leftovers = operation?.leftovers
        state =
            switch job.state {
            case .running where !job.isLeft: .running(job.process)
            case .needsUser, .failed: .stopped(reason: job.reason)
            case .finished, .cancelled: .ended
            case .waiting, .running: .undecided
            }
    }

    /// What an interrupted change left of an account.
    ///
    /// - Parameter holder: the process that has the account for itself, 0 for an unknown one: it is running the change, or
    ///   completes it; nil for none.
    init(_ recovery: AccountRecovery, of account: AccountLocation, holder: Int32? = nil) {
        origin = .account(recovery, of: account)
        title = recovery.operation ?? "interrupted change"
        places = [Place(account, replaced: recovery.replaced)]
        leftovers = .pendingChange
        state =
            if let holder {
                .running(holder > 0 ? holder : nil)
            } else {
                recovery.state == .after ? .decided : .undecided
            }
    }

    /// A move that is under way.
    init(_ move: MoveSummary) {
        origin = .move(move)
        title =
            move.isDamaged
            ? "move \(move.id)"
            : "move of \(move.directory) \(move.side == .sending ? "to" : "from") another machine"
        places = move.isDamaged ? [] : [Place(of: move)]
        let account = AccountLocation(directory: FilePath(move.directory), prefix: move.prefix)
        leftovers =
            !move.isUnderWay
            ? nil : move.side == .sending ? .sentAccount(account) : .receivedAccount(account)
        state = Self.state(of: move)
    }

    private static func state(of move: MoveSummary) -> State {
        if move.isRunning { return .running(move.process) }
        if move.isDamaged { return .stopped(reason: "its record cannot be read") }
        guard move.isUnderWay else { return .ended }
        if move.isNewer { return .stopped(reason: "its record was written by a newer version") }
        if move.sendingState == .linkShown {
            return .stopped(reason: "sent; the words of the other machine are needed")
        }
        if let reason = move.reason { return .stopped(reason: reason) }
        let isDecided = move.sendingState == .finishing || move.receivingState == .verified
        return isDecided ? .decided : .undecided
    }

    /// An upload that was interrupted.
    init(_ upload: InterruptedUpload) {
        origin = .upload(upload)
        title = upload.path.isEmpty ? "upload \(upload.id)" : "upload of \(upload.path)"
        // A journal that another run has open tells nothing.
        places = upload.path.isEmpty ? [] : [Place(FilePath(upload.path), source: upload.source)]
        leftovers = .uploadedChunks
        state =
            if upload.isRunning {
                .running(nil)
            } else if upload.isDamaged {
                .stopped(reason: "its journal cannot be read")
            } else {
                upload.isComplete ? .decided : .undecided
            }
    }

    /// A download that was interrupted.
    init(_ found: ReceivingNotes.Found) {
        let (note, download) = (found.note, found.download)
        origin = .download(in: note.folder.path)
        title = FileDownloadJob.title(note.target, isFolder: note.isFolder)
        places = [Place(note.target.path), Place(note.folder.path)]
        leftovers = .receivedChunks
        state = download.isRunning ? .running(nil) : download.isPublishing ? .decided : .undecided
    }

    /// A relay whose process was killed.
    init(remainsOfRelay folder: FilePath, title: String) {
        origin = .servedRelay(in: folder)
        self.title = title
        places = [Place(folder)]
        leftovers = .servedChunks(folder)
        state = .stopped(reason: "its process was killed, so nobody can receive from it anymore")
    }
}

extension OperationRecord.Place {
    /// - Parameters:
    ///   - sources: what all places of an operation had that it reads or changes.
    ///   - targets: what they had where it writes.
    init(_ path: FilePath, sources: [MarkedFile] = [], targets: [MarkedFile] = []) {
        self.path = path
        let own = FilePath(JobPath(path).absolute)
        func isOwn(_ file: MarkedFile) -> Bool {
            [file.path.path, file.path.path.removingLastComponent()].contains(own)
        }
        self.sources = sources.filter(isOwn)
        marks = self.sources + targets.filter(isOwn)
    }

    /// An account whose databases are replaced.
    init(_ account: AccountLocation, replaced: [AccountDatabase: FileStamp]) {
        // By the name that the marks have it under.
        let folder = FilePath(JobPath(account.directory).absolute)
        let marks = AccountLocation(directory: folder, prefix: account.prefix).marked(
            AccountDatabase.allCases.map { database in replaced[database].map { JobFileMark($0) } })
        self.init(account.directory, targets: marks)
    }

    /// The account of a move.
    init(of move: MoveSummary) {
        self.init(
            AccountLocation(directory: FilePath(move.directory), prefix: move.prefix), replaced: move.replaced
        )
    }

    /// The source of an upload.
    init(_ path: FilePath, source: SourceIdentity?) {
        let place = JobPath(FilePath(JobPath(path).absolute))
        self.init(path, sources: source.map { [MarkedFile(place, JobFileMark($0))] } ?? [])
    }
}

extension OperationRecord {
    /// With the marks that another record of the same operation has, where this one has none.
    func completed(by other: OperationRecord) -> OperationRecord {
        var record = self
        record.places = places.map { place in
            guard place.marks.isEmpty else { return place }
            let path = JobPath(place.path).absolute
            return other.places.first { !$0.marks.isEmpty && JobPath($0.path).absolute == path } ?? place
        }
        return record
    }

    /// Where another file is now than the one that it was asked for; none of what is decided, runs or came to its end.
    package var replacedPaths: [FilePath] {
        state == .undecided ? places.filter(\.isReplaced).map(\.path) : []
    }
}
