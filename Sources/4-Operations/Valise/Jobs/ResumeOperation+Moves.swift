import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseMoves

extension ResumeOperation {
    /// The next step of a move, with what its record has.
    func resume(_ move: MoveSummary, _ context: OperationContext) async throws -> ResumedOperation {
        let account = try AccountLocation.place(FilePath(move.directory), prefix: move.prefix)
        switch try move.nextStep(in: context.folders) {
        case .send:
            let way: SendAccount.Way =
                if let archive = move.archive { .archive(FilePath(archive), packs: false) } else {
                    .relays(RelayChoice())
                }
            var operation = SendAccount(account, by: way, passphrase: user.passphrase)
            operation.proxy = proxy
            operation.sent = { [ended] in try await ended(.sent($0)) }
            return .sent(try await operation.run(in: context))
        case .receive:
            var operation = ReceiveAccount(nil, to: account, passphrase: user.passphrase)
            operation.approvesRelays = user.approvesRelays
            operation.proxy = proxy
            return try await end(.received(operation.run(in: context)))
        case .finish:
            // The record has them.
            var operation = FinishMove(of: account) { throw move.wordsMissing }
            operation.proxy = proxy
            return try await end(.finished(operation.run(in: context)))
        case .cancel:
            var operation = CancelMove(of: account, id: move.id)
            operation.proxy = proxy
            return try await end(.cancelled(operation.run(in: context)))
        }
    }
}

extension MoveSummary {
    /// The operation with which a move continues.
    enum NextStep { case send, receive, finish, cancel }

    /// - Throws: why it cannot continue with what its record has.
    func nextStep(in folders: ValiseFolders) throws -> NextStep {
        if isDamaged { throw unreadable }
        if isNewer {
            throw OperationError(
                .newer, "a newer version wrote the record of this move", subject: id, remedy: .updateProgram)
        }
        guard isUnderWay else { throw OperationError(.invalid, "this move is over", subject: id) }
        if sendingState == .cancelling || receivingState == .cancelling { return .cancel }
        guard side == .sending else { return .receive }
        if sendingState == .finishing { return .finish }
        if sendingState == .linkShown, !isServed(in: folders) { throw wordsMissing }
        return .send
    }

    fileprivate var wordsMissing: OperationError {
        OperationError(
            .invalid, "the account was sent. The words of the other machine are needed now.",
            subject: directory, need: .words,
            remedy: .finishMove(Remedy.Account(directory: FilePath(directory), prefix: prefix)))
    }
}
