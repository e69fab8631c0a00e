import ValiseConcurrency
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// Receives one description's file into the folder of a download, and proves it.
struct PartReceiving: Sendable {
    /// Which of the download's parts it is, counted from 0 as they were given.
    let number: Int
    let description: FileDescription
    /// No whole that this is a part of is larger, in bytes; nil where it is received alone.
    let joinedSize: Int64?
    let receiving: ChunkReceiving
    let journal: DownloadJournal
    let settings: TransferSettings
    let fileSystem: FileSystem
    let progress: TransferProgress
    let report: EventHandler

    /// Some of the chunks, and where they begin.
    private struct Place: Sendable {
        let chunk: FileDescription.Chunk
        let offset: Int64
        let index: Int
    }

    /// Receives all of it, and proves it.
    ///
    /// - Parameters:
    ///   - head: of ``head()``.
    ///   - isResumed: whether an earlier run had begun with it.
    /// - Throws: ``FileTransferError``; `FileError`; `CancellationError`.
    func run(_ head: EncryptedFileHead, isResumed: Bool) async throws {
        if try await BlockingExecutor.shared.run({ try isVerified(head) }) {
            return progress.add(description.size)
        }
        report(.note(TransferNote.named(head.name)))
        let part = try await BlockingExecutor.shared.run { try open(head) }
        let there = try await BlockingExecutor.shared.run { try intact(part) }
        if isResumed {
            progress.restartRate()
            report(.note(TransferNote.resumed(chunks: there.count, of: description.chunks.count)))
        }
        try await receive(part, without: there)
        try await BlockingExecutor.shared.run { [journal, number] in
            // What was proved is not looked at again: it must be there after a power cut too.
            try part.synchronize()
            try fileSystem.synchronizeDirectory(journal.folder)
            try journal.append(.verified(part: number), durable: true)
        }
    }

    /// Whether an earlier run proved it, and nothing was cut off since.
    private func isVerified(_ head: EncryptedFileHead) throws -> Bool {
        guard journal.state.verified.contains(number) else { return false }
        return try (fileSystem.attributes(of: journal.content)?.size ?? 0) >= base(head) + head.contentSize
    }

    private func open(_ head: EncryptedFileHead) throws -> ReceivedPart {
        let layout = PartLayout(
            encryptedSize: description.size, headSize: head.size, contentSize: head.contentSize,
            base: try base(head))
        let outer = try journal.state.keys.map { keys in
            let stream = try SecretBoxStream()
            stream.start(keys)
            return stream
        }
        return try ReceivedPart(
            description, layout, head: head.bytes, content: WorkFile(journal.content, fileSystem: fileSystem),
            tail: WorkFile(journal.tail(ofPart: number), fileSystem: fileSystem), outer: outer)
    }

    /// Where its content begins in the received file.
    private func base(_ head: EncryptedFileHead) throws -> Int64 {
        guard let joinedSize else { return 0 }
        guard let part = head.part, part.offset <= joinedSize, head.contentSize <= joinedSize - part.offset
        else { throw FileTransferError.notAllParts }
        return part.offset
    }

    // MARK: Head

    /// What is before the content: out of the journal, or out of the first chunk, which is then dropped. It is small
    /// where the file is, and one of many where it is large.
    /// - Throws: as ``run(_:isResumed:)``.
    func head() async throws -> EncryptedFileHead {
        if let bytes = journal.state.heads[number] {
            return try EncryptedFileHead(encrypted: bytes[...], description)
        }
        let memory = ChunkMemory()
        try await receiving.receive(
            description.chunks[0], into: memory, kept: journal.state.heads.isEmpty ? .nothing : .chunks)
        let head = try unsafe EncryptedFileHead(
            encrypted: Array(memory.bytes.prefix(EncryptedFileHead.longest))[...], description)
        return try await BlockingExecutor.shared.run { [journal, number] in
            try journal.append(.head(part: number, bytes: head.bytes))
            let part = try open(head)
            try unsafe part.store(memory.bytes, at: 0)
            try journal.append(.chunk(ChunkPlace(file: number, chunk: 0)))
            return head
        }
    }

    // MARK: Chunks

    /// Those of an earlier run whose bytes are still what they were.
    private func intact(_ part: ReceivedPart) throws -> Set<Int> {
        let memory = ChunkMemory()
        let noted = journal.state.chunks
        return try places.reduce(into: []) { found, place in
            guard noted.contains(ChunkPlace(file: number, chunk: place.index)) else { return }
            try Task.checkCancellation()
            memory.resize(to: Int(place.chunk.size))
            guard try unsafe part.load(memory.bytes, at: place.offset) else { return }
            var hash = SHA256()
            unsafe hash.update(UnsafeRawBufferPointer(memory.bytes))
            if hash.finalize() == place.chunk.digest { found.insert(place.index) }
        }
    }

    private var places: [Place] {
        zip(description.chunks, description.offsets).enumerated().map { index, pair in
            Place(chunk: pair.0, offset: pair.1, index: index)
        }
    }

    /// Receives chunks side by side, and proves what is there in its order meanwhile.
    private func receive(_ part: ReceivedPart, without there: Set<Int>) async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Int.self)
        async let proof: Void = verify(part, arrivals)
        do {
            for index in there.sorted() {
                progress.add(description.chunks[index].size)
                arrived.yield(index)
            }
            try await receiveAll(places.filter { !there.contains($0.index) }, part, arrived)
        } catch {
            arrived.finish()
            throw error
        }
        arrived.finish()
        try await proof
    }

    private func receiveAll(
        _ places: [Place], _ part: ReceivedPart, _ arrived: AsyncStream<Int>.Continuation
    ) async throws {
        try await withThrowingTaskGroup(of: ChunkMemory.self) { group in
            var underWay = 0
            for place in places {
                var memory: ChunkMemory?
                if underWay == settings.parallelChunks {
                    memory = try await group.next()
                    underWay -= 1
                }
                underWay += 1
                group.addTask { [memory] in
                    let memory = memory ?? ChunkMemory()
                    try await receiving.receive(place.chunk, into: memory, kept: .chunks)
                    try await keep(place, memory, part)
                    progress.add(place.chunk.size)
                    arrived.yield(place.index)
                    return memory
                }
            }
            try await group.waitForAll()
        }
    }

    /// Not flushed: what a power cut takes is noticed by its digest and received once more.
    private func keep(_ place: Place, _ memory: ChunkMemory, _ part: ReceivedPart) async throws {
        try await BlockingExecutor.shared.run { [journal, number] in
            try unsafe part.store(memory.bytes, at: place.offset)
            try journal.append(.chunk(ChunkPlace(file: number, chunk: place.index)))
        }
    }

    private func verify(_ part: ReceivedPart, _ arrivals: AsyncStream<Int>) async throws {
        let proof = PartProof(part)
        var there: Set<Int> = []
        var next = 0
        for await index in arrivals {
            there.insert(index)
            while there.remove(next) != nil {
                try Task.checkCancellation()
                let size = description.chunks[next].size
                try await BlockingExecutor.shared.run { try proof.add(size: size) }
                next += 1
            }
        }
        // Fewer when receiving failed, which is what is thrown then, or when the task was cancelled.
        guard next == description.chunks.count else { throw CancellationError() }
        try await BlockingExecutor.shared.run { [digest = description.digest] in
            try proof.finish(expected: digest)
        }
    }
}
