import SystemPackage
public import ValiseAccounts
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

    /// The move that would be finished.
    public func plan(in context: OperationContext) async throws -> OperationRecord? {
        try await context.blocking { _ in try MoveStates(context.folders).record(of: account, .sending) }
    }

    public func run(in context: OperationContext) async throws -> FinishReport {
        let words = try await expectedWords(context)
        let reporter = MoveReporter(context)
        let report = try await MoveRelay.during(account, context) {
            try await MoveStates(context.folders).withEngine(proxy) { move in
                try await move.finish(
                    account, words: words, removesSource: removesSource,
                    agree: { receipt in
                        if let receipt, receipt != .confirmed { try await accept(receipt, context) }
                        if removesSource { try await confirmRemoval(context) }
                    }, report: reporter.tell)
            }
        }
        await MoveLeftovers.remove(of: account, .sending, context)
        return report
    }

    private func expectedWords(_ context: OperationContext) async throws -> FingerprintWords {
        let summary = try await plan(in: context)?.move
        if let words { return words }
        // They were given to the run that was interrupted.
        if let known = summary?.words, [.finishing, .finished].contains(summary?.sendingState) {
            return known
        }
        guard summary?.words != nil else {
            throw notSent
        }
        return try await ask()
    }

    /// Nothing is to be finished.
    package var notSent: OperationError {
        OperationError(
            .notFound, "this account was not sent, so there is no move to finish",
            subject: account.directory.string, need: .sending)
    }

    private func accept(_ receipt: FileTransfers.Receipt, _ context: OperationContext) async throws {
        let isKnown = receipt == .unconfirmed
        let state =
            isKnown
            ? "no machine has confirmed that it received this account: it is still on the relays"
            : "the relays cannot be asked whether this account was received"
        guard !removesSource else {
            throw OperationError(
                .invalid, "\(state). It can only be retired now, and removed later. Nothing was changed.",
                subject: account.directory.string)
        }
        if acceptsUnconfirmed { return }
        switch try await context.questions.answer(.finishUnconfirmed(isKnown: isKnown)) {
        case true?: return
        case false?:
            throw OperationError(.failed, "not confirmed. Nothing was changed.", need: .agreement)
        case nil:
            throw OperationError(
                isKnown ? .invalid : .failed, "\(state). Nothing was changed.",
                subject: account.directory.string, need: .receipt)
        }
    }

    private func confirmRemoval(_ context: OperationContext) async throws {
        switch try await context.questions.answer(.removeMovedAccount(account)) {
        case true?: return
        case false?:
            throw OperationError(
                .failed, "nothing was changed; the account can be retired instead", need: .agreement)
        case nil:
            throw OperationError(
                .invalid,
                "removing the account requires confirmation, but there is no way to ask. Nothing was changed.",
                need: .agreement)
        }
    }
}
