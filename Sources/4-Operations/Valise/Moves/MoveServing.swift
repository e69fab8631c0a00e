package import ValiseAccounts
import ValiseConcurrency
package import ValiseFailures
import ValiseMoves
import ValiseTransfers

/// The time in which this process is the relay of a move.
struct MoveServing: Sendable {
    private let location: AccountLocation
    private let context: OperationContext

    init(_ location: AccountLocation, _ context: OperationContext) {
        self.location = location
        self.context = context
    }

    /// Serves until the other machine has told that it received the account, or the task is cancelled.
    ///
    /// - Throws: ``ServingEnded``.
    func serve(_ relay: MoveRelay, _ sent: SentAccount) async throws {
        context.note(RelayNote.servingAccount)
        do {
            try await ServiceRun.run([relay.service]) { try await wait(for: sent, at: relay) }
        } catch is CancellationError {
            throw ServingEnded(location, .interrupted)
        } catch let failure as any Failure {
            if let ended = failure as? ServingEnded { throw ended }
            throw ServingEnded(location, failure.code, because: failure.code == .interrupted ? nil : failure)
        }
    }

    private func wait(for sent: SentAccount, at relay: MoveRelay) async throws {
        guard let file = try await uploaded(sent) else { throw ServingEnded(location, .gone) }
        guard try await relay.serve(file) else {
            if try isOver { return context.note(RelayNote.moveIsOver) }
            throw ServingEnded(location, .gone)
        }
        context.note(RelayNote.accountReceived(location))
    }

    /// What a recipient knows of the chunks is in the journal of the upload.
    private func uploaded(_ sent: SentAccount) async throws -> UploadedFile? {
        let states = try TransferStates.folder(context.folders)
        let transfers = FileTransfers(relays: RelayNetwork(), states: states)
        for upload in try await transfers.uploads(ofContent: sent.contentID) {
            if let file = try await transfers.uploadedFile(upload.id) { return file }
        }
        return nil
    }

    /// Whether another run has finished or cancelled the move.
    private var isOver: Bool {
        get throws {
            let move = try MoveStates(context.folders).record(of: location, .sending)?.move
            return move?.sendingState != .linkShown
        }
    }
}

/// Why a relay of this process stopped to serve an account that was sent.
package struct ServingEnded: Failure {
    package let account: AccountLocation
    /// `interrupted` where the same link can be served again, `gone` where the chunks are not there any more.
    package let code: FailureCode
    package var subject: String? { nil }
    package let cause: (any Error)?

    package var message: String {
        if let cause { return cause.sentence }
        return code == .interrupted
            ? "stopped. Nothing is lost; the same link can be served again."
            : "the sent data was deleted or expired before the other machine received it"
    }

    init(_ account: AccountLocation, _ code: FailureCode, because cause: (any Error)? = nil) {
        self.cause = cause
        self.account = account
        self.code = code
    }
}
