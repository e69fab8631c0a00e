import Synchronization
import ValiseConcurrency
import ValiseFiles
import ValiseStorage

/// Stores the chunks of one file, several at a time.
struct StoreChunkUpload: Sendable {
    let store: ContentStore
    /// Nil for a file that is not encrypted.
    let sealing: ChunkSealing?
    /// Whether chunks are stored although they are there.
    let rewrites: Bool
    /// Chunks that the previous content of the file has: these are referred to, and nobody removes them.
    let known: Set<ObjectName>

    /// What was stored.
    struct Outcome: Sendable {
        /// In their order.
        var names: [ObjectName] = []
        var storedChunks = 0
        var storedBytes: Int64 = 0
        /// Chunks that were there, and that no manifest may refer to.
        var reused: Set<ObjectName> = []
        var digest = ContentDigest.ofNothing
    }

    private struct State {
        var names: [Int: ObjectName] = [:]
        var outcome = Outcome()
    }

    /// Stores them.
    ///
    /// - Parameter report: called on the calling thread with the bytes of the file that were read; throw to stop.
    /// - Throws: `StorageError`; `FileError`; `CryptographyError`; whatever `report` throws.
    func run(_ file: any ByteSource, _ sizes: ChunkSizes, report: (Int64) throws -> Void) throws -> Outcome {
        let state = Mutex(State())
        let budget = ByteBudget(store.rules.uploadMemory)
        let buffers = ChunkBuffers(most: store.rules.uploadMemory / 2)
        let source = try ChunkSource(file, sizes, sealing, buffers)
        let workers = store.rules.chunksInFlight
        try ParallelBatches.run(count: workers, workers: workers) {
        } work: { _, _ in
            do {
                while let chunk = try source.next(budget) {
                    let size = chunk.object.count
                    defer { budget.give(size) }
                    buffers.give(try save(chunk, state))
                }
            } catch {
                budget.end()
                throw error
            }
        } report: { _ in
            do {
                try report(source.offset)
            } catch {
                budget.end()
                throw error
            }
        }
        return state.withLock { state in
            state.outcome.names = (0..<state.names.count).compactMap { state.names[$0] }
            state.outcome.digest = source.digest
            return state.outcome
        }
    }

    /// - Returns: the memory of the chunk.
    private func save(_ chunk: consuming ChunkSource.Chunk, _ state: borrowing Mutex<State>) throws -> [UInt8]
    {
        let number = chunk.number
        var bytes: [UInt8] = []
        swap(&bytes, &chunk.object)
        sealing?.sealInPlace(&bytes, index: number)
        let name = ObjectName.digest(try ContentDigest(of: bytes))
        let isStored = try !needsStoring(name, bytes.count)
        if !isStored { try store.objects.put(store.layout.chunk(name), bytes, if: .always) }
        store.sizes.note(name, Int64(bytes.count))
        state.withLock { state in
            state.names[number] = name
            if isStored {
                if !known.contains(name) { state.outcome.reused.insert(name) }
            } else {
                state.outcome.storedChunks += 1
                state.outcome.storedBytes += Int64(bytes.count)
            }
        }
        return bytes
    }

    private func needsStoring(_ name: ObjectName, _ size: Int) throws -> Bool {
        // Nonces are random: nobody has stored the same.
        if rewrites || sealing != nil { return true }
        if known.contains(name) { return false }
        return try store.objects.attributes(of: store.layout.chunk(name))?.size != Int64(size)
    }
}
