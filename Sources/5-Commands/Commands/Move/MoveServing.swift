import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMoves
import ValiseTransfers

/// The time in which this process is the relay of a move.
struct MoveServing {
    let location: AccountLocation
    let output: OutputOptions

    /// Serves until the other machine has told that it received the account, or the user has enough.
    ///
    /// - Throws: ``ReportedFailure``: `interrupted`, `gone` where the chunks were deleted before.
    func serve(_ relay: MoveRelay, _ sent: SentAccount) throws {
        output.note(
            "the account is on this machine alone: keep this running until the other one has it; Control-C stops it, "
                + "and the same command serves the same link again")
        do {
            guard let file = try uploaded(sent) else { throw gone }
            guard try relay.serve(file, output) else {
                if try isOver { return output.note("the move is over; its relay has ended") }
                throw gone
            }
        } catch is Interruption {
            throw ReportedFailure(failure: stopped)
        } catch let failure as any Failure {
            throw ReportedFailure(failure: failure)
        }
        output.note(
            "the other machine has received the account; compare the words, then "
                + RemedyCommand.quoted("valise move finish \(location.arguments)"))
    }

    /// What a recipient knows of the chunks is in the journal of the upload.
    private func uploaded(_ sent: SentAccount) throws -> UploadedFile? {
        try AsynchronousWork<UploadedFile?>.run(output) { _ in
            let transfers = FileTransfers(relays: RelayNetwork(), states: try TransferStates.folder())
            for upload in try await transfers.uploads(ofContent: sent.contentID) {
                if let file = try await transfers.uploadedFile(upload.id) { return file }
            }
            return nil
        }
    }

    /// Whether another run has finished or cancelled the move.
    private var isOver: Bool {
        get throws {
            try MoveStates.engine().summary(of: location, side: .sending)?.sendingState != .linkShown
        }
    }

    private var stopped: CommandError {
        CommandError(
            .interrupted,
            "stopped; nothing is lost, and " + RemedyCommand.quoted("valise move send \(location.arguments)")
                + " serves the same link again"
        )
    }

    private var gone: CommandError {
        CommandError(
            .gone,
            "what was sent was deleted or has expired before the other machine had it; "
                + RemedyCommand.quoted("valise move send \(location.arguments) --renew") + " sends it anew")
    }
}
