import ValiseConcurrency
import ValiseXFTPWire

/// Whether what was sent was received.
extension FileTransfers {
    /// What relays say of a complete upload.
    package enum Receipt: Sendable {
        /// The recipient has no access any more: it confirmed that it has everything, or the chunks expired.
        case confirmed
        /// The recipient can still receive it.
        case unconfirmed
        /// No relay said anything.
        case unknown
    }

    /// Asks for the last chunk of a content as its recipient would.
    ///
    /// No command of relays only looks. Receiving changes nothing there, and a chunk has 4 MiB at most. Recipients confirm chunks
    /// once they have the whole file, so one of them speaks for all.
    ///
    /// - Parameter id: ``UploadContent/id``.
    /// - Throws: `FileError`; ``FileTransferError``, while another run uses the upload; `CancellationError`.
    package func receipt(ofContent id: String) async throws -> Receipt {
        let memory = ChunkMemory()
        var receipt = Receipt.unknown
        for upload in try await uploads(ofContent: id) {
            guard let chunk = try await lastChunk(of: upload.id) else { continue }
            memory.resize(to: Int(chunk.size))
            for recipient in chunk.recipients {
                do {
                    try await relays.download(
                        recipient.id, key: recipient.key, digest: chunk.digest, into: memory,
                        from: chunk.relay)
                    return .unconfirmed
                } catch {
                    try Task.checkCancellation()
                    if relays.trouble(error) == .refused(.auth) { receipt = .confirmed }
                }
            }
        }
        return receipt
    }

    private func lastChunk(of upload: String) async throws -> SentChunk? {
        try await BlockingExecutor.shared.run {
            let journal = try UploadJournal.open(upload, in: states, fileSystem: fileSystem)
            defer { journal.close() }
            return journal.state.chunks.max {
                ($0.key.file, $0.key.chunk) < ($1.key.file, $1.key.chunk)
            }?.value
        }
    }
}
