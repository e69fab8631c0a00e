import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
public import ValiseMoves
import ValiseTransfers

/// Finishes a move on the sending machine: compares the words, then retires the account here.
public struct FinishMove: Operation {
    package var account: AccountLocation
    /// The words that the other machine shows, where they are known.
    package var words: FingerprintWords?
    /// Whether the account is removed instead of retired, after confirmation.
    public var removesSource = false
    /// Whether the account is retired although no machine has confirmed that it received it. The official apps never do.
    public var acceptsUnconfirmed = false
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    /// Gives the words where they are needed and not known.
    package var ask: @Sendable () async throws -> FingerprintWords

    /// - Parameters:
    ///   - account: the account that was sent.
    ///   - words: the words shown by the other machine.
    public init(of account: AccountLocation, words: FingerprintWords) {
        self.account = account
        self.words = words
        ask = { words }
    }

    /// - Parameters:
    ///   - account: the account that was sent.
    ///   - ask: returns the words if they are needed.
    public init(
        of account: AccountLocation, asking ask: @escaping @Sendable () async throws -> FingerprintWords
    ) {
        self.account = account
        self.ask = ask
    }

    /// Looks at the record of the move alone: no relay is asked.
    /// - Throws: `DeviceMigrationError` with `wrongWords` where words are given that are not those of the move, and with
    ///   `noMove` where the account came from another machine; ``OperationError`` with `notFound` where it was not sent.
    public func plan(in context: OperationContext) async throws -> MovePlan {
        let move = try await record(context)?.move
        guard let move, let sent = move.words else { throw try await notSent(context) }
        if let words, sent != words { throw DeviceMigrationError.wrongWords(move.id) }
        // An archive stays where it was written.
        let upload: [MovePlan.Effect] = move.archive == nil ? [.deleteUpload] : []
        return MovePlan(
            effects: [.compareWords(areGiven: words != nil)] + upload + [
                removesSource ? .removeAccount(account) : .retireAccount(account)
            ])
    }

    private func record(_ context: OperationContext) async throws -> OperationRecord? {
        try await context.blocking { _ in
            let states = MoveStates(context.folders)
            try states.refuseID(account)
            return try states.record(of: account, .sending)
        }
    }

    public func run(in context: OperationContext) async throws -> FinishReport {
        let summary = try await record(context)?.move
        let words = try await expectedWords(summary, context)
        let reporter = MoveReporter(context)
        let report = try await MoveRelay.during(account, context) {
            try await MoveStates(context.folders).withEngine(proxy) { move in
                try await move.finish(
                    account, words: words, removesSource: removesSource,
                    agree: { receipt in
                        try await check(receipt, of: summary, context)
                        if removesSource { try await confirmRemoval(context) }
                    }, report: reporter.tell)
            }
        }
        await MoveLeftovers.remove(of: account, .sending, context)
        return report
    }

    private func expectedWords(
        _ summary: MoveSummary?, _ context: OperationContext
    ) async throws -> FingerprintWords {
        if let words { return words }
        // They were given to the run that was interrupted.
        if let known = summary?.words, [.finishing, .finished].contains(summary?.sendingState) {
            return known
        }
        guard summary?.words != nil else {
            throw try await notSent(context)
        }
        return try await ask()
    }

    /// Why there is nothing to finish.
    private func notSent(_ context: OperationContext) async throws -> any Error {
        let received = try await context.blocking { _ in
            try MoveStates(context.folders).engine().receivedHere(account)
        }
        // Whoever received it would begin a second move by sending it.
        if let received { return received }
        return OperationError(
            .notFound, "this account was not sent, so there is no move to finish",
            subject: account.directory.string, need: .sending)
    }

    /// - Parameter receipt: nil where no relay was used, or the move is past that.
    private func check(
        _ receipt: FileTransfers.Receipt?, of move: MoveSummary?, _ context: OperationContext
    ) async throws {
        // Not known while the account is sent anew.
        let mayBeExpired = move?.expires.map { $0 <= UTCTime.now.seconds } ?? true
        switch receipt {
        case nil:
            if move?.archive != nil, move?.sendingState == .linkShown {
                context.note(ReceiptNote.notChecked)
            }
        // Relays answer the same for chunks that expired, whether somebody has received them or not.
        case .confirmed? where mayBeExpired:
            try await accept(
                "the relays no longer have this account, which may have expired, so they cannot say whether it was "
                    + "received", isKnown: false, context)
        case .confirmed?: return
        case .unconfirmed?:
            try await accept(
                "no machine has confirmed that it received this account: it is still on the relays",
                isKnown: true, context)
            context.note(ReceiptNote.unconfirmed)
        case .unknown?:
            try await accept(
                "the relays cannot be asked whether this account was received", .failed, isKnown: false,
                context)
        }
    }

    /// - Parameter code: of the error where nobody can be asked.
    private func accept(
        _ state: String, _ code: FailureCode = .invalid, isKnown: Bool, _ context: OperationContext
    ) async throws {
        guard !removesSource else {
            throw OperationError(
                .invalid, "\(state). It can only be retired now, and removed later. Nothing was changed.",
                subject: account.directory.string)
        }
        if acceptsUnconfirmed { return }
        try await context.questions.require(
            .finishUnconfirmed(isKnown: isKnown),
            unasked: OperationError(
                code, "\(state). Nothing was changed.", subject: account.directory.string, need: .receipt))
    }

    private func confirmRemoval(_ context: OperationContext) async throws {
        try await context.questions.require(
            .removeMovedAccount(account),
            unasked: OperationError(
                .invalid,
                "removing the account requires confirmation, but there is no way to ask. Nothing was changed.",
                need: .agreement))
    }
}

/// What a finished move tells of the receipt where no relay has said that there was one.
enum ReceiptNote: OperationNote {
    /// The account went in an archive.
    case notChecked
    /// The chunks that are deleted are all that was sent.
    case unconfirmed

    var text: String {
        switch self {
        case .notChecked:
            "the words are the only sign that the other machine has this account: receipt of an archive cannot be "
                + "checked"
        case .unconfirmed:
            "deleting the upload from the relays, although no machine has confirmed that it received the account"
        }
    }
}
