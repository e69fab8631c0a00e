import ValiseConcurrency
import ValiseXFTPClient

/// What is on relays for nothing.
extension FileUpload {
    private var deletion: ChunkDeletion {
        var settings = settings
        // What cannot be removed soon expires.
        settings.retries.attempts = 2
        return ChunkDeletion(relays: relays, settings: settings) { _ in }
    }

    func removeAbandoned(_ journal: UploadJournal) async throws {
        try await delete(journal.state.abandoned)
    }

    private func delete(_ chunks: [SentChunk]) async throws {
        var left = 0
        for chunks in Dictionary(grouping: chunks, by: \.relay).values {
            let targets = chunks.map { ChunkDeletion.Target($0) }
            // A relay that cannot be reached is not waited for with each chunk.
            var outcomes = try await deletion.delete(Array(targets.prefix(1)))
            if outcomes.allSatisfy(\.outcome.isDone) {
                outcomes += try await deletion.delete(Array(targets.dropFirst()))
            }
            left += targets.count - outcomes.count(where: \.outcome.isDone)
        }
        if left > 0 { report(.note(TransferNote.warning(.leftBehind(chunks: left)))) }
    }

    /// Removes what was sent, and the journal.
    func remove(_ journal: UploadJournal) async throws {
        defer { journal.close() }
        try await delete(journal.state.known)
        try await BlockingExecutor.shared.run { try journal.remove() }
    }
}
