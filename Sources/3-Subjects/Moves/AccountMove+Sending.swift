import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
import ValiseFiles
package import ValiseSecrets
package import ValiseTransfers
import ValiseXFTPWire

/// The sending side.
extension AccountMove {
    /// What ``send(_:passphrase:_:confirm:report:)`` would send. Nothing is written.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: of both databases.
    ///   - options: what the caller chooses.
    /// - Throws: ``DeviceMigrationError``: `sourceInUse`; `passphraseNotSet` for an account without one, or with one that
    ///   an app made by chance (``SendOptions/acceptsRandomPassphrase``); `wrongPassphrase`; `AccountError`: `notFound`,
    ///   `damaged`, `unsupported` for one that is only to be read or retired, `failed` where an
    ///   interrupted operation waits to be completed; `FileError`.
    package func sendPlan(
        _ location: AccountLocation, passphrase: borrowing SecretBytes, _ options: SendOptions
    ) throws -> SendPlan {
        let source = SendingSource(location: location, fileSystem: fileSystem)
        let passphrase = try passphrase.rememberingKeys()
        try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        try RetiredMark.refuse(location, fileSystem: fileSystem)
        try source.checkIsSet(passphrase, acceptsRandom: options.acceptsRandomPassphrase)
        try source.prove(passphrase)
        do {
            return try SendPlan(
                location, passphrase, options, largest: transfers.settings.largestDescription, fileSystem)
        } catch let error as AccountError where error.code == .inUse {
            throw SendingSource.inUse(error)
        }
    }

    /// Sends an account, or resumes what an earlier run had begun; where that was done, its links are returned again,
    /// once it is proved that the account is as it was sent.
    ///
    /// The account is locked while it is read and sent, and nothing is locked afterwards.
    ///
    /// - Parameters:
    ///   - location: the account; it is not changed, but for the folding of a journal.
    ///   - passphrase: of both databases.
    ///   - options: what the caller chooses.
    ///   - confirm: sees the plan once, in the first run; false ends with `declined`, and nothing was sent.
    ///   - report: sees what happens.
    /// - Throws: ``DeviceMigrationError``:
    ///   - `sourceInUse`: a program has the account open;
    ///   - `passphraseNotSet`, `wrongPassphrase`: as ``sendPlan(_:passphrase:_:)``;
    ///   - `declined`: `confirm` said no;
    ///   - `sourceChanged`: the account was written to while it was sent (nothing stays on relays, the next run begins
    ///     anew), or since it was sent (``renew(_:passphrase:_:report:)`` sends it as it is now);
    ///   - `expired`: the link was shown, and is too old; ``renew(_:passphrase:_:report:)`` makes a new one;
    ///   - `moveInUse`: another run is at this move;
    ///   - `wrongState`: the move is being finished or cancelled, or goes the other way (file instead of relays);
    ///   - `interrupted`: the task was cancelled; the next run goes on;
    ///
    ///   `FileTransferError` of the relays, after which the next run goes on; as ``sendPlan(_:passphrase:_:)``;
    ///   `AccountArchiveError` for the archive file; `FileError`; whatever `confirm` throws.
    package func send(
        _ location: AccountLocation, passphrase: SharedSecret, _ options: SendOptions,
        confirm: @escaping @Sendable (SendPlan) async throws -> Bool = { _ in true },
        report: @escaping EventHandler = { _ in }
    ) async throws -> SentAccount {
        try await stoppable {
            let file = try await opened(location, options)
            let run = try SendingRun(
                move: self, file: file, location: location, passphrase: passphrase.rememberingKeys(),
                options: options, confirm: confirm, report: report)
            return try await run.run(renews: false)
        }
    }

    /// Sends the account anew under another link, as it is now, and deletes what was sent before: for a link that expires
    /// soon or has expired, or an account that was used since. The words are others where the account is another.
    ///
    /// Asks nothing. A run that was stopped is resumed by this or by ``send(_:passphrase:_:confirm:report:)``; the
    /// previous link is good until the new one is there.
    ///
    /// - Throws: as ``send(_:passphrase:_:confirm:report:)``; ``DeviceMigrationError``: `noMove` where nothing was sent
    ///   yet; `unsupported` for an archive file, which does not expire.
    package func renew(
        _ location: AccountLocation, passphrase: SharedSecret, _ options: SendOptions,
        report: @escaping EventHandler = { _ in }
    ) async throws -> SentAccount {
        try await stoppable {
            let file = try await existing(location)
            let run = try SendingRun(
                move: self, file: file, location: location, passphrase: passphrase.rememberingKeys(),
                options: options, confirm: { _ in true }, report: report)
            return try await run.run(renews: true)
        }
    }

    /// What was sent, again: links, words and times. The account is not looked at, and no relay is asked.
    ///
    /// - Throws: ``DeviceMigrationError``: `noMove`, also where the journal of the upload is gone; `wrongState`
    ///   where it is not sent yet or is being finished; `moveInUse`; `FileError`.
    package func sent(_ location: AccountLocation) async throws -> SentAccount {
        let file = try await existing(location)
        guard file.state == .linkShown else {
            let isOver = [.finishing, .finished].contains(file.state.name)
            throw DeviceMigrationError(
                isOver ? .alreadyFinished : .wrongState,
                isOver
                    ? "the link no longer exists: the account was moved, and the sent data was deleted"
                    : "no link yet: the account has not been sent",
                subject: location.directory.string,
                remedy: isOver ? nil : file.move.continuing(location))
        }
        return try await sentAccount(file, at: location)
    }

    /// Retires the source, once the other machine has shown the same words: verifies that it is unchanged,
    /// retires it (``AccountRetirement``), deletes the chunks, and removes it where that is wanted.
    ///
    /// Each step may be repeated: what a killed run left is completed by the same call. With `removesSource` it also removes
    /// an account that a finished move left retired.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - words: what the other machine shows.
    ///   - removesSource: whether databases and media go too; else they stay, retired.
    ///   - agree: is asked once the words are right, with what relays say of the receipt: nil where no relay was used, or the
    ///     move is past that. What it throws ends the run with nothing changed.
    ///   - report: sees what happens.
    /// - Throws: ``DeviceMigrationError``: `wrongWords`, `sourceChanged`, `sourceInUse`, in which case nothing was changed;
    ///   `noMove`; `wrongState` where it is not sent yet; `alreadyFinished`; `moveInUse`; `interrupted`;
    ///   `AccountError`; `FileTransferError`, `FileError` after which the next run goes on. Relays that cannot be
    ///   reached are no error: their chunks expire, and are counted.
    package func finish(
        _ location: AccountLocation, words: FingerprintWords, removesSource: Bool = false,
        agree: @escaping @Sendable (FileTransfers.Receipt?) async throws -> Void = { _ in },
        report: @escaping EventHandler = { _ in }
    ) async throws -> FinishReport {
        try await stoppable {
            let file = try await existing(location)
            let run = FinishingRun(
                move: self, file: file, location: location, agree: agree, report: report)
            return try await run.run(words: words, removesSource: removesSource)
        }
    }

    // MARK: Records

    /// The record of the account's move: the unfinished one, or a new one.
    private func opened(_ location: AccountLocation, _ options: SendOptions) async throws -> MoveFile<
        SendingMove
    > {
        try await BlockingExecutor.shared.run {
            guard try fileSystem.isDirectory(location.directory) else {
                throw AccountError(.notFound, "no such folder", location.directory)
            }
            try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
            try RetiredMark.refuse(location, fileSystem: fileSystem)
            let account = try MovedAccount(location, fileSystem)
            let destination = options.storedDestination
            func isOver(_ previous: SendingMove) -> Bool {
                switch previous.state {
                case .finished, .cancelled: true
                case .cancelling: false
                // Nothing of it was sent: it may as well go another way.
                default: !previous.isConfirmed && previous.destination != destination
                }
            }
            return try store.openOrMake(account, isOver: isOver) { _ in
                var move = SendingMove(destination: destination)
                move.take(options)
                return move
            }.file
        }
    }

    private func existing(_ location: AccountLocation) async throws -> MoveFile<SendingMove> {
        try await BlockingExecutor.shared.run {
            let account = try MovedAccount(location, fileSystem)
            if let file = try store.open(SendingMove.self, of: account), file.state != .cancelled {
                return file
            }
            guard try fileSystem.isDirectory(location.directory) else {
                throw AccountError(.notFound, "no such folder", location.directory)
            }
            throw try receivedHere(location) ?? DeviceMigrationError.nothingSent(location)
        }
    }

    /// Why the move of an account that came from another machine is not finished here; nil for an account that did not.
    package func receivedHere(_ location: AccountLocation) throws -> DeviceMigrationError? {
        let received = try summary(of: location, side: .receiving)
        guard let received, received.receivingState != .cancelled else { return nil }
        return DeviceMigrationError(
            .noMove, "this account was received here", subject: location.directory.string,
            remedy: .finishElsewhere)
    }

    /// What the record and the journal of the upload say.
    func sentAccount(_ file: MoveFile<SendingMove>, at location: AccountLocation) async throws -> SentAccount
    {
        let stored = file.move
        guard let proof = stored.proof, let sent = stored.sent, let size = stored.archiveSize else {
            throw DeviceMigrationError.damagedRecord(file.id)
        }
        return SentAccount(
            id: file.id, links: try await links(file, at: location),
            archive: stored.archive.map { FilePath($0) },
            words: proof.words, created: sent.created, expires: stored.expires, renewals: stored.renewals,
            archiveSize: size, entries: stored.entries ?? 0, archiveErrors: stored.archiveErrors,
            linkImage: file.linkImage)
    }

    private func links(_ file: MoveFile<SendingMove>, at location: AccountLocation) async throws -> [FileLink]
    {
        let stored = file.move
        guard stored.archive == nil else { return [] }
        for upload in try await transfers.uploads(
            ofContent: SendingMove.contentID(file.id, stored.generation))
        {
            if let links = try await transfers.uploadedFile(upload.id)?.links.first { return links }
        }
        throw DeviceMigrationError(
            .noMove,
            "the upload journal is missing, and the link with it", subject: file.id,
            remedy: .renewLink(Remedy.Account(location)))
    }
}
