import Synchronization
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseTransfers

/// How the runs of a move work.
extension AccountMove {
    /// Files and databases, away from the threads of tasks; it stops at its next progress where the task is cancelled.
    func work<Value: Sendable>(
        _ report: @escaping EventHandler,
        _ body: @escaping @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await BlockingExecutor.shared.run {
            try body { progress in
                try Task.checkCancellation()
                report(.progress(progress))
            }
        }
    }

    /// What stops a run from outside is one error, however it came.
    func stoppable<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as DeviceMigrationError {
            throw error
        } catch let error where Self.isStop(error) {
            throw DeviceMigrationError(
                .interrupted, "the move was interrupted and can be resumed", remedy: .giveCommandAgain)
        }
    }

    static func isStop(_ error: any Error) -> Bool {
        error is CancellationError || (error as? any Failure)?.code == .interrupted
    }

    /// Deletes what was sent of a move from the relays, with its journals.
    /// - Returns: how many chunks could not be deleted.
    func discard(
        _ move: String, generations: [Int], _ report: @escaping EventHandler
    ) async throws -> Int {
        let left = Counter()
        for generation in generations {
            for upload in try await transfers.uploads(ofContent: SendingMove.contentID(move, generation)) {
                try await transfers.discardUpload(upload.id) { event in
                    if case .note(let note as TransferNote) = event,
                        case .warning(.leftBehind(let chunks)) = note
                    {
                        left.add(chunks)
                    }
                    report(event)
                }
            }
        }
        return left.value
    }

    /// Whether what was sent was received. The words tell only that somebody knows what was sent, as this machine does, too.
    /// - Returns: nil where it went in an archive, or is not sent or no longer there.
    func receipt(of file: MoveFile<SendingMove>) async throws -> FileTransfers.Receipt? {
        let stored = file.move
        let generation: Int? =
            switch stored.state.name {
            case .linkShown: stored.generation
            // The previous link is good until the new one is there.
            case .archiving, .uploadProgress, .uploadFailed, .linkCreation: stored.previousGenerations.last
            default: nil
            }
        guard let generation, stored.archive == nil else { return nil }
        do {
            return try await transfers.receipt(ofContent: SendingMove.contentID(file.id, generation))
        } catch let error where !Self.isStop(error) {
            return .unknown
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)

        func add(_ number: Int) { count.add(number, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }
}
