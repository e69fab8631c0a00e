import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// Sends one encrypted file of an upload: encrypts it in order, and brings several chunks to relays meanwhile.
struct FileSending: Sendable {
    /// Which of the upload's files it is.
    let index: Int
    let source: any ByteSource
    let layout: EncryptedFileLayout
    let recipients: Int
    let sending: ChunkSending
    let progress: TransferProgress?

    private var journal: UploadJournal { sending.journal }

    /// - Throws: ``FileTransferError``: `sourceChanged` where an earlier run sent other bytes under the same key; errors
    ///   of the source and the journal; `CancellationError`.
    func run() async throws {
        let state = journal.state
        guard state.digests[index] == nil || !isIntact(state) else {
            progress?.add(layout.encryptedSize)
            return
        }
        let production = try ChunkProduction(source, state.files[index], layout)
        try await withThrowingTaskGroup(of: ChunkMemory.self) { group in
            var free: [ChunkMemory] = []
            var made = 0
            for number in layout.chunks.indices {
                try Task.checkCancellation()
                let memory: ChunkMemory
                if let other = free.popLast() {
                    memory = other
                } else if made <= sending.settings.parallelChunks {
                    memory = ChunkMemory()
                    made += 1
                } else if let done = try await group.next() {
                    memory = done
                } else {
                    break
                }
                let place = ChunkPlace(file: index, chunk: number)
                let digest = try await BlockingExecutor.shared.run { try production.next(into: memory) }
                if try isStored(place, digest) {
                    progress?.add(Int64(memory.count))
                    free.append(memory)
                } else {
                    group.addTask { try await send(place, memory, digest) }
                }
            }
            try await group.waitForAll()
        }
        let digest = production.finish()
        try await BlockingExecutor.shared.run { [journal, index] in
            try journal.append(.finished(file: index, digest: digest))
        }
    }

    /// Whether no chunk was abandoned since the file was finished.
    private func isIntact(_ state: UploadState) -> Bool {
        layout.chunks.indices.allSatisfy { state.chunks[ChunkPlace(file: index, chunk: $0)] != nil }
    }

    private func isStored(_ place: ChunkPlace, _ digest: [UInt8]) throws -> Bool {
        if let told = journal.toldDigest(place), told != digest { throw FileTransferError.sourceChanged() }
        guard let chunk = journal.chunk(place) else { return false }
        return chunk.isStored && chunk.recipients.count >= recipients
    }

    private func send(_ place: ChunkPlace, _ memory: ChunkMemory, _ digest: [UInt8]) async throws
        -> ChunkMemory
    {
        try await sending.send(place, memory, digest: digest, recipients: recipients)
        progress?.add(Int64(memory.count))
        return memory
    }
}

extension FileTransferError {
    static func sourceChanged(_ subject: String? = nil, cause: (any Error)? = nil) -> Self {
        Self(
            .sourceChanged, .failed,
            "the file changed while it was being sent. The sent chunks were removed from the relays.",
            subject: subject, cause: cause, remedy: .closeProgram)
    }
}
