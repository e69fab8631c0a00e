import ValiseConcurrency
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Removes chunks from their relays. The rest of a relay that fails twice in a row is abandoned.
struct ChunkDeletion: Sendable {
    /// A chunk as its sender knows it.
    struct Target: Sendable {
        let number: Int
        let relay: XFTPAddress
        let sender: EntityID
        let key: SecretSeed
    }

    let relays: any ChunkRelays
    let settings: TransferSettings
    let report: EventHandler

    /// - Returns: what became of each, in the order of the targets.
    /// - Throws: `CancellationError`.
    func delete(_ targets: [Target]) async throws -> [DeletionReport.Chunk] {
        let progress = TransferProgress(
            "deleting", total: Int64(targets.count), unit: .items, report: report)
        let patience = RelayPatience()
        return try await withThrowingTaskGroup(of: (Int, DeletionReport.Chunk).self) { group in
            var outcomes: [DeletionReport.Chunk?] = targets.map { _ in nil }
            for (index, target) in targets.enumerated() {
                if index >= settings.parallelChunks, let (done, chunk) = try await group.next() {
                    outcomes[done] = chunk
                }
                group.addTask {
                    defer { progress.add(1) }
                    let outcome = try await delete(target, patience)
                    return (index, .init(number: target.number, relay: target.relay, outcome: outcome))
                }
            }
            for try await (done, chunk) in group { outcomes[done] = chunk }
            return outcomes.compactMap { $0 }
        }
    }

    private func delete(_ target: Target, _ patience: RelayPatience) async throws -> DeletionReport.Outcome {
        var retries = TransferRetries(settings.retries)
        var attempt = 1
        while true {
            try Task.checkCancellation()
            if let error = patience.end(of: target.relay) { return .failed(error) }
            let began = patience.begin(target.relay)
            do {
                try await relays.delete(target.sender, key: target.key, at: target.relay)
                patience.answered(target.relay)
                return .deleted
            } catch {
                try Task.checkCancellation()
                let trouble = relays.trouble(error)
                if case .refused = trouble { patience.answered(target.relay) }
                if trouble == .refused(.auth) { return .alreadyGone }
                report(.note(TransferNote.troubled(target.relay, error)))
                guard let pause = retries.pause(after: trouble) else { return .failed(error) }
                patience.failed(target.relay, began: began, error)
                guard patience.end(of: target.relay) == nil else { return .failed(error) }
                attempt += 1
                report(.note(TransferNote.retry(chunk: target.number, attempt: attempt, after: pause)))
                try await settings.sleep(pause)
            }
        }
    }
}

extension ChunkDeletion.Target {
    /// All replicas of a sender's description.
    static func all(of description: FileDescription) -> [Self] {
        description.chunks.flatMap { chunk in
            chunk.replicas.map {
                Self(number: chunk.number, relay: $0.server, sender: $0.id, key: $0.key)
            }
        }
    }

    init(_ chunk: SentChunk, number: Int = 0) {
        self.init(number: number, relay: chunk.relay, sender: chunk.sender, key: chunk.key)
    }
}
