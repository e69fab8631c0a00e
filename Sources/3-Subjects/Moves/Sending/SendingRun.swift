import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers

/// One run of the sending side: from wherever the record is to the shown link.
struct SendingRun: Sendable {
    let move: AccountMove
    let file: MoveFile<SendingMove>
    let location: AccountLocation
    let passphrase: SharedSecret
    let options: SendOptions
    let confirm: @Sendable (SendPlan) async throws -> Bool
    let report: EventHandler

    private var source: SendingSource {
        SendingSource(location: location, fileSystem: move.fileSystem)
    }

    /// The name that travels with the archive, as the apps make it.
    static func name(created: Int64) -> String {
        "simplex-chat.\(UTCTime(seconds: created).isoText.filter { $0 != ":" }).zip"
    }

    /// - Parameter renews: whether what was sent already is sent anew.
    func run(renews: Bool) async throws -> SentAccount {
        try checkState(renews: renews)
        if file.state == .linkShown, !renews { return try await shownAgain() }
        if file.move.isConfirmed {
            try await work { progress in try checkSource { _ in } }
        } else {
            try await begin()
        }
        let image = try await archive(renews: renews && file.state == .linkShown)
        try await SendingDelivery(run: self, image: image).deliver()
        await discardPrevious()
        return try await move.sentAccount(file, at: location)
    }

    private func checkState(renews: Bool) throws {
        let stored = file.move
        switch stored.state.name {
        case .finishing:
            throw DeviceMigrationError(
                .wrongState, "this move is being finished: the other machine has the account",
                subject: file.id,
                remedy: .finishMove(Remedy.Account(location)))
        case .cancelling, .cancelled:
            throw DeviceMigrationError(
                .wrongState, "this move is being cancelled", subject: file.id,
                remedy: .completeCancellation(Remedy.Account(location)))
        default: break
        }
        if renews {
            guard stored.archive == nil else {
                throw DeviceMigrationError(
                    .unsupported,
                    "this account was written to an archive file, which does not expire",
                    subject: stored.archive, remedy: .cancelMove(Remedy.Account(location)))
            }
            guard stored.isConfirmed else { throw DeviceMigrationError.nothingSent(location) }
        }
        guard options.storedDestination == stored.destination else {
            throw DeviceMigrationError(
                .wrongState,
                "this account is already being moved "
                    + (stored.archive.map { "with the archive \($0)" } ?? "over relays"),
                subject: file.id, remedy: .continueOrCancelMove(Remedy.Account(location)))
        }
    }

    private func work<Value: Sendable>(
        _ body: @escaping @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await move.work(report, body)
    }

    // MARK: Before anything is read

    private func begin() async throws {
        do {
            try await agree()
        } catch let error as any Failure {
            // Nothing was done, so that there is nothing to resume or to cancel.
            try? file.remove()
            throw error
        }
    }

    private func agree() async throws {
        try checkArchivePlace()
        try file.enterAgain(.chatStopInProgress)
        try await work { _ in try checkSource { try file.enter($0) } }
        try file.enter(.uploadConfirmation)
        let plan = try await work { _ in
            try SendPlan(
                location, passphrase.bytes, options, largest: move.transfers.settings.largestDescription,
                move.fileSystem)
        }
        if let archive = plan.archive { try move.checkSpace(plan.archiveSize, for: FilePath(archive)) }
        let isAgreed: Bool
        do {
            isAgreed = try await confirm(plan)
        } catch {
            // Whatever it is, without consent there is nothing to resume.
            try? file.remove()
            throw error
        }
        guard isAgreed else { throw DeviceMigrationError(.declined, Declined.sentence) }
    }

    private func checkArchivePlace() throws {
        if let path = file.move.archive { try move.checkPlace(of: FilePath(path), location) }
    }

    private func checkSource(_ enter: (SendingState) throws -> Void) throws {
        let recovery = try source.check(
            passphrase.bytes, acceptsRandom: options.acceptsRandomPassphrase, enter: enter)
        if let recovery { report(.note(MoveNote.recovered(recovery))) }
    }

    // MARK: Reading

    /// The bytes that are sent, and their proof. The account is locked as long as the image lives.
    private func archive(renews: Bool) async throws -> ArchiveImage {
        try file.enterAgain(.archiving) { stored in
            stored.isConfirmed = true
            stored.take(options)
            guard renews else { return }
            stored.previousGenerations.append(stored.generation)
            stored.generation += 1
            stored.sent = nil
        }
        return try await work { progress in
            let (recovery, folded) = try source.fold(passphrase.bytes, progress)
            if let recovery { report(.note(MoveNote.recovered(recovery))) }
            if folded { report(.note(MoveNote.folded)) }
            do {
                let image = try image(progress)
                try prove(image, progress)
                return image
            } catch let error as AccountArchiveError where error.kind == .sourceChanged {
                throw DeviceMigrationError.changedWhileRead(error)
            }
        }
    }

    private func image(_ progress: ProgressHandler) throws -> ArchiveImage {
        do {
            return try ArchiveImage(
                location, passphrase: passphrase.bytes.duplicate(), fileSystem: move.fileSystem,
                progress: progress)
        } catch let error as AccountError where error.code == .inUse {
            throw SendingSource.inUse(error)
        }
    }

    /// Made once for the same content.
    private func prove(_ image: ArchiveImage, _ progress: ProgressHandler) throws {
        let stored = file.move
        if stored.proof != nil, stored.identity == image.identity { return }
        var digests: [String: [UInt8]] = [:]
        for entry in image.entries { digests[entry.name] = entry.digest }
        let proof = try AccountProof.make(
            location, passphrase: passphrase.bytes, mediaDigests: digests, fileSystem: move.fileSystem,
            progress: progress)
        try file.update { stored in
            stored.identity = image.identity
            stored.proof = proof
            stored.archiveSize = image.size
            stored.entries = image.entries.count
            stored.archiveErrors = image.archiveErrors
        }
    }

    // MARK: Afterwards

    /// The same links once more, where they lead to the account as it is.
    private func shownAgain() async throws -> SentAccount {
        try await work { progress in
            try checkSource { _ in }
            guard try source.isUnchanged(since: file.move.identity, progress) else {
                throw DeviceMigrationError.changedSinceSent(location, archive: file.move.archive)
            }
        }
        if let expires = file.move.expires, move.transfers.settings.now() >= expires {
            throw DeviceMigrationError.expiredLink(location)
        }
        await discardPrevious()
        return try await move.sentAccount(file, at: location)
    }

    /// Chunks of previous links. What cannot be deleted now is tried again with the end of the move.
    private func discardPrevious() async {
        for generation in file.move.previousGenerations {
            do {
                _ = try await move.discard(file.id, generations: [generation], report)
                try file.update { $0.previousGenerations.removeAll { $0 == generation } }
            } catch {
                report(.note(MoveNote.notDeleted(error)))
            }
        }
    }
}

extension SendOptions {
    var storedDestination: SendingMove.Destination {
        switch destination {
        case .relays: .relays
        case .file(let path, _): .file(path: path.string)
        }
    }
}

extension DeviceMigrationError {
    static func nothingSent(_ location: AccountLocation) -> Self {
        Self(
            .noMove, "this account was not sent from here", subject: location.directory.string,
            remedy: .sendAccount(Remedy.Account(location)))
    }

    static func changedWhileRead(_ cause: any Failure) -> Self {
        Self(
            .sourceChanged,
            "a program changed the account while it was being read. Nothing was sent.",
            subject: cause.subject, remedy: .closeProgram)
    }

    static func changedWhileWritten(_ cause: any Failure) -> Self {
        Self(
            .sourceChanged,
            "a program changed the account while the archive was being written. The archive was removed.",
            subject: cause.subject, remedy: .closeProgram)
    }

    static func changedWhileSent(_ cause: any Failure) -> Self {
        Self(
            .sourceChanged,
            "a program changed the account while it was being sent. The uploaded data was removed from the "
                + "relays.", subject: cause.subject, remedy: .closeProgram)
    }

    static func changedSinceSent(_ location: AccountLocation, archive: String?) -> Self {
        let account = Remedy.Account(location)
        let remedy: Remedy =
            if let archive {
                .cancelMoveAndRemove(account, archive: FilePath(archive))
            } else {
                .sendChangedAccount(account)
            }
        return Self(
            .sourceChanged,
            "the account changed after it was sent: a program used it, or its media changed. Nothing was "
                + "changed here.",
            subject: location.directory.string, remedy: remedy)
    }

    static func expiredLink(_ location: AccountLocation) -> Self {
        Self(
            .expired,
            "the link has expired: relays keep an account for 48 hours", subject: location.directory.string,
            remedy: .renewLink(Remedy.Account(location)))
    }
}
