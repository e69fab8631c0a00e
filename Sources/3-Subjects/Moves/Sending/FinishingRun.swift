import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseTransfers

/// The end of a move on the sending side. The account is taken out of use as soon as it is proved to be unchanged; what is
/// on relays has time.
struct FinishingRun: Sendable {
    let move: AccountMove
    let file: MoveFile<SendingMove>
    let location: AccountLocation
    let agree: @Sendable (FileTransfers.Receipt?) async throws -> Void
    let report: EventHandler

    private var retirement: AccountRetirement {
        AccountRetirement(location, fileSystem: move.fileSystem)
    }

    func run(words: FingerprintWords, removesSource: Bool) async throws -> FinishReport {
        guard let proof = try checkState(removesSource: removesSource).proof else {
            throw DeviceMigrationError.nothingSent(location)
        }
        guard words == proof.words else {
            throw DeviceMigrationError.wrongWords(file.id)
        }
        try await agree(try await move.receipt(of: file))
        var left = 0
        if file.state.name != .finished {
            left = try await finish(words)
            try file.enter(.finished(source: .retired))
        }
        var isWholeRemoved = true
        if removesSource {
            isWholeRemoved = try await move.work(report) { _ in try remove() }
            try file.enter(.finished(source: .removed))
        }
        return FinishReport(
            id: file.id, words: words, source: removesSource ? .removed : .retired,
            mediaLeft: !isWholeRemoved, chunksLeft: left, archive: file.move.archive,
            archiveLeft: archiveLeft)
    }

    /// All is done: a stick that cannot be looked at is no failure of it.
    private var archiveLeft: String? {
        do {
            return try move.archiveLeft(file.move)
        } catch {
            return file.move.archive
        }
    }

    /// - Returns: whether the media went too.
    private func remove() throws -> Bool {
        if try RetiredMark.isThere(location, fileSystem: move.fileSystem) { return try retirement.remove() }
        // A killed run may have removed all but noted nothing.
        for path in AccountDatabase.allCases.map({ location.path(of: $0) }) {
            guard try !move.fileSystem.exists(path) else {
                throw DeviceMigrationError(
                    .notRetired,
                    "an account is in use here again since the move. Nothing was removed.",
                    subject: path.string)
            }
        }
        return true
    }

    private func checkState(removesSource: Bool) throws -> SendingMove {
        switch file.state {
        case .linkShown, .finishing: break
        // The other machine may have received by the previous link, which is good until there is a new one.
        case .archiving where isRenewal, .uploadProgress where isRenewal, .uploadFailed where isRenewal,
            .linkCreation where isRenewal:
            break
        case .finished(.retired) where removesSource: break
        case .finished:
            throw DeviceMigrationError(
                .alreadyFinished, "this move is finished, and the account here is retired",
                subject: file.id)
        case .cancelling, .cancelled:
            throw DeviceMigrationError(
                .wrongState, "this move is being cancelled", subject: file.id,
                remedy: .completeCancellation(Remedy.Account(location)))
        default:
            throw DeviceMigrationError(
                .wrongState, "the account has not been sent yet", subject: file.id,
                remedy: file.move.continuing(location))
        }
        return file.move
    }

    private var isRenewal: Bool { !file.move.previousGenerations.isEmpty }

    /// - Returns: how many chunks could not be deleted.
    private func finish(_ words: FingerprintWords) async throws -> Int {
        try await move.work(report) { progress in
            // Somebody else's doing: what is here is not known to be what was sent.
            if file.state != .finishing { try RetiredMark.refuse(location, fileSystem: move.fileSystem) }
            if try !RetiredMark.isThere(location, fileSystem: move.fileSystem) {
                try checkUnchanged(progress)
                try file.enterAgain(.finishing)
            }
            let mark = RetiredMark(moved: UTCTime.now.isoText, words: words.description, tool: move.tool)
            try retirement.retire(mark)
        }
        let stored = file.move
        return try await move.discard(
            file.id, generations: stored.previousGenerations + [stored.generation], report)
    }

    private func checkUnchanged(_ progress: ProgressHandler) throws {
        let source = SendingSource(location: location, fileSystem: move.fileSystem)
        if try source.isUnchanged(since: file.move.identity, progress) { return }
        if file.state == .finishing { try file.enter(file.move.sent == nil ? .archiving : .linkShown) }
        throw DeviceMigrationError.changedSinceSent(location, archive: file.move.archive)
    }
}
