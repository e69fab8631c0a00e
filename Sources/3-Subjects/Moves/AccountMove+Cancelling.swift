import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseTransfers

extension AccountMove {
    /// Cancels a move on either side. On the sending side all chunks are deleted and the source is unchanged; on the
    /// receiving side what was received is removed, and an account that is in place already stays, which the report says.
    /// The record goes.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - id: which move it is, where the account has one of each side (``MoveSummary/id``); nil for the one that is
    ///     under way, the sending one first.
    ///   - agree: is asked where the recipient has confirmed the chunks, or they expired: then the other machine may have the
    ///     account. What it throws ends the run with nothing changed.
    ///   - report: sees what happens.
    /// - Throws: ``DeviceMigrationError``: `noMove`; `alreadyFinished`; `wrongState` where `finish` has already retired
    ///   the source, which only goes on or is brought back by ``AccountRetirement``; `moveInUse`; `interrupted`;
    ///   `FileTransferError`, `FileError`: the same call goes on.
    package func cancel(
        _ location: AccountLocation, id: String? = nil,
        agree: @escaping @Sendable () async throws -> Void = {}, report: @escaping EventHandler = { _ in }
    ) async throws -> CancelReport {
        try await stoppable {
            let account = try await BlockingExecutor.shared.run { try MovedAccount(location, fileSystem) }
            let (sending, receiving) = try await BlockingExecutor.shared.run {
                (
                    try store.open(SendingMove.self, of: account, id: id),
                    try store.open(ReceivingMove.self, of: account, id: id)
                )
            }
            if let sending, sending.state.name != .finished {
                return try await cancel(sending, location, agree, report)
            }
            if let receiving, receiving.state.name != .finished {
                return try await cancel(receiving, location, report)
            }
            if let id = sending?.id {
                throw DeviceMigrationError(
                    .alreadyFinished,
                    "this move is finished, and the account here is retired", subject: id,
                    remedy: .restoreRetired(Remedy.Account(location)))
            }
            if let id = receiving?.id {
                throw DeviceMigrationError(
                    .alreadyFinished,
                    "this account has been received and stays in place. Never use it both here and on the "
                        + "other machine.",
                    subject: id, remedy: .forgetMove(id))
            }
            throw DeviceMigrationError(
                .noMove, "no unfinished move of this account", subject: location.directory.string)
        }
    }

    private func cancel(
        _ file: MoveFile<SendingMove>, _ location: AccountLocation,
        _ agree: @Sendable () async throws -> Void, _ report: @escaping EventHandler
    ) async throws -> CancelReport {
        let stored = file.move
        if try await receipt(of: file) == .confirmed { try await agree() }
        if stored.state == .finishing, try RetiredMark.isThere(location, fileSystem: fileSystem) {
            throw DeviceMigrationError(
                .wrongState,
                "the account here is already retired: the other machine has it", subject: file.id,
                remedy: .finishMove(Remedy.Account(location)))
        }
        var left = 0
        if stored.state != .cancelled {
            try file.enterAgain(.cancelling)
            left = try await discard(
                file.id, generations: stored.previousGenerations + [stored.generation], report)
            try file.enter(.cancelled)
        }
        try file.remove()
        var outcome = CancelReport(side: .sending, wasSent: stored.isConfirmed)
        outcome.chunksLeft = left
        outcome.hadLink = stored.hadLink
        if stored.isConfirmed { outcome.archiveLeft = try archiveLeft(stored) }
        return outcome
    }

    /// The archive file that was written, where it is still there.
    func archiveLeft(_ move: SendingMove) throws -> String? {
        guard let archive = move.archive, try fileSystem.exists(FilePath(archive)) else { return nil }
        return archive
    }

    private func cancel(
        _ file: MoveFile<ReceivingMove>, _ location: AccountLocation, _ report: @escaping EventHandler
    ) async throws -> CancelReport {
        let target = ReceivingTarget(location: location, fileSystem: fileSystem)
        if ![.cancelling, .cancelled].contains(file.state.name) {
            let isThere = try await work(report) { _ in try isInPlace(file, target) }
            try file.enter(.cancelling) { $0.isInPlace = isThere }
        }
        if file.state == .cancelling {
            try await work(report) { _ in try target.removeWork(of: file.move) }
            try file.enter(.cancelled)
        }
        var outcome = CancelReport(side: .receiving)
        outcome.accountStays = file.move.isInPlace
        try file.remove()
        return outcome
    }

    /// Whether the import was decided: what a killed run left of it is completed.
    private func isInPlace(_ file: MoveFile<ReceivingMove>, _ target: ReceivingTarget) throws -> Bool {
        let stored = file.move
        if stored.state.name.isAfterImport { return true }
        guard stored.state == .archiveImport else { return false }
        _ = try target.open()
        guard let archive = stored.archivePath, try fileSystem.exists(archive) else { return false }
        return try target.holds(
            ReceivedArchive(archive, isUsersOwn: stored.archive != nil, target).storage())
    }
}
