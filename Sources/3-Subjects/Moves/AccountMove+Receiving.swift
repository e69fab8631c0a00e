import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseTransfers

/// The receiving side.
extension AccountMove {
    /// Refuses a place into which nothing could be received, whatever the source is: before anybody is asked for one. What an
    /// earlier run has begun or done there is for ``receive(_:to:_:_:report:)`` to judge. Nothing is changed.
    ///
    /// - Throws: ``DeviceMigrationError``: `accountExists`, `targetInUse`; `AccountError`; `FileError`.
    package func refuseReceiving(into location: AccountLocation, replacesAccount: Bool) throws {
        if try summary(of: location, side: .receiving) != nil { return }
        try ReceivingTarget(location: location, fileSystem: fileSystem).look(replacesAccount: replacesAccount)
    }

    /// Receives an account and puts it in place, or resumes what an earlier run had begun into the same place; where
    /// that was finished, and the same links are given, what it returned is returned again.
    ///
    /// Downloads into a hidden folder beside the account, verifies the whole archive, proves the passphrase, imports as one
    /// operation, makes the proof, then asks about schema and network configuration, and removes what was received.
    ///
    /// - Parameters:
    ///   - source: links or an archive file; nil to resume what was begun. Others than those that were begun with take
    ///     their place as long as the account is not in place, as after a renewal.
    ///   - location: where the account shall be. The folder is made where it is missing.
    ///   - options: what the caller chooses.
    ///   - questions: what a user answers: the passphrase, whether to begin, to migrate, to take the network
    ///     configuration.
    ///   - report: sees what happens.
    /// - Throws: ``DeviceMigrationError``:
    ///   - `wrongLink`: a text is no link to a file; nothing was begun;
    ///   - `accountExists`: an account is in place, and may not be replaced; nothing was received;
    ///   - `targetInUse`: a program has the account in place open;
    ///   - `declined`: ``ReceiveQuestions/confirm`` said no;
    ///   - `noSpace`: for the download and the import together, told before anything is received;
    ///   - `expired`: the relays keep it no longer; on the other machine `move send --renew` makes a new link;
    ///   - `damaged`: what the relays hold is not what the link promises; nothing of it is kept;
    ///   - `partsMissing`: the links are not all that belong together;
    ///   - `notAnArchive`: what was received is no archive of an account, and is kept until `cancel(_:report:)`;
    ///   - `wrongPassphrase`: after the last try; what was received is kept, and the next run asks again;
    ///   - `otherMove`: other links were given, and the account is in place already from the first ones;
    ///   - `noMove`: `source` is nil, and nothing was begun here;
    ///   - `moveInUse`, `wrongState` (being cancelled), `alreadyFinished`, `interrupted`.
    ///
    ///   `FileTransferError`: of relays (`fileNotApproved`, `relays`, `blocked`); `AccountArchiveError`, `ZipError`,
    ///   `AccountError` of the import; `MaintenanceError`, `MigrationError`; `FileError`; whatever `questions`
    ///   throw. In each case the account in place is the previous one or the new one, and the next run goes on.
    package func receive(
        _ source: MoveSource?, to location: AccountLocation, _ options: ReceiveOptions,
        _ questions: ReceiveQuestions, report: @escaping EventHandler = { _ in }
    ) async throws -> ReceivedAccount {
        try await stoppable {
            let given = try source.map { try GivenSource($0, fileSystem) }
            let file = try await BlockingExecutor.shared.run { try opened(given, location, options, report) }
            let allowed = try remembering(options, file)
            let run = ReceivingRun(
                move: self, file: file, location: location, options: allowed, questions: questions,
                report: report)
            return try await run.run()
        }
    }

    // MARK: Records

    /// With what an earlier run was allowed. Whoever resumes a move gives neither its links nor that again.
    private func remembering(
        _ options: ReceiveOptions, _ file: MoveFile<ReceivingMove>
    ) throws -> ReceiveOptions {
        let isApproved = file.move.approvesRelays == true
        if options.approvesRelays, !isApproved, !file.state.name.isAfterImport {
            try file.update { $0.approvesRelays = true }
        }
        let approved = file.move.approvedRelays ?? []
        func remembered(_ approval: RelayApproval) -> RelayApproval {
            if isApproved { return .all }
            return approval.remembering(approved) { relays in
                try file.update { $0.approvedRelays = ($0.approvedRelays ?? []) + relays }
            }
        }
        var options = options
        options.approval = remembered(options.approval)
        options.receiptApproval = options.receiptApproval.map(remembered)
        return options
    }

    /// The record of the move into this place: the one that was begun, or a new one.
    private func opened(
        _ source: GivenSource?, _ location: AccountLocation, _ options: ReceiveOptions,
        _ report: EventHandler
    ) throws -> MoveFile<ReceivingMove> {
        let account = try MovedAccount(location, fileSystem)
        let target = ReceivingTarget(location: location, fileSystem: fileSystem)
        guard let source else {
            guard let file = try store.open(ReceivingMove.self, of: account), file.state != .cancelled else {
                throw DeviceMigrationError(
                    .noMove,
                    "no move to resume here", subject: location.directory.string,
                    remedy: .showLinkElsewhere)
            }
            return file
        }
        let isOccupied = try !target.databases().isEmpty
        func isOver(_ previous: ReceivingMove) -> Bool {
            switch previous.state {
            case .finished: !isOccupied || !source.isSame(as: previous)
            case .cancelled: true
            default: false
            }
        }
        if try store.open(ReceivingMove.self, of: account).map({ isOver($0.move) }) ?? true {
            // Before anything is noted.
            if let recovery = try target.check(replacesAccount: options.replacesAccount) {
                report(.note(MoveNote.recovered(recovery)))
            }
        }
        let file = try store.openOrMake(account, isOver: isOver) { id in
            try source.newMove(workFolder: target.workFolder(id))
        }.file
        if !source.isSame(as: file.move) { try restart(file, with: source, target) }
        return file
    }

    /// With other links, as after a renewal: what was received by the first ones is of no use.
    private func restart(
        _ file: MoveFile<ReceivingMove>, with source: GivenSource, _ target: ReceivingTarget
    ) throws {
        let previous = file.move
        guard !previous.state.name.isAfterImport, previous.state != .archiveImport else {
            throw DeviceMigrationError(
                .otherMove,
                "another account was already received here or is being imported. Nothing was changed.",
                subject: file.id, remedy: .resumeOrCancelReceiving(Remedy.Account(target.location)))
        }
        guard ![.cancelling, .cancelled].contains(previous.state.name) else { return }
        try target.removeWork(of: previous)
        let new = source.newMove(workFolder: try target.workFolder(file.id))
        try file.enterAgain(.pasteOrScanLink) { $0 = new }
    }
}

/// What a run is given to receive from.
private struct GivenSource {
    let links: LinkSet?
    let archive: FilePath?

    init(_ source: MoveSource, _ fileSystem: FileSystem) throws {
        switch source {
        case .links(let texts): (links, archive) = (try LinkSet(texts), nil)
        case .archive(let path): (links, archive) = (nil, try fileSystem.resolve(path))
        }
    }

    func isSame(as move: ReceivingMove) -> Bool {
        move.archive == archive?.string && move.fingerprint == links?.fingerprint ?? []
    }

    /// - Parameter workFolder: for what links lead to.
    func newMove(workFolder: FilePath) -> ReceivingMove {
        ReceivingMove(
            links: links?.texts ?? [], fingerprint: links?.fingerprint ?? [], archive: archive?.string,
            workFolder: archive == nil ? workFolder.string : nil)
    }
}
