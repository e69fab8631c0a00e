import ValiseConcurrency
import ValiseCryptography
import ValiseFiles

/// SHA-256 of something whose chunks are worked on by several threads.
final class OrderedDigest: Sendable {
    private let hash = SharedDigest()
    private let turns: OrderedTurns?

    /// - Parameter workers: how many threads hand in chunks.
    init(workers: Int) {
        turns = workers > 1 ? OrderedTurns(workers: workers) : nil
    }

    /// Adds a chunk of ``OrderedChunks`` when those before it were added.
    /// - Throws: ``Failures/Interruption`` when one of these failed.
    func add(_ chunk: UnsafeRawBufferPointer, at offset: Int64) throws {
        guard let turns else { return unsafe addInTurn(chunk) }
        try turns.take(Int(offset) / OrderedChunks.chunkSize) { unsafe addInTurn(chunk) }
    }

    /// Adds a chunk whose turn it is, as the caller knows.
    func addInTurn(_ chunk: UnsafeRawBufferPointer) { unsafe hash.add(chunk) }

    /// Nobody waits for a chunk any more.
    func fail() { turns?.fail() }

    /// The digest of all chunks. Call it once.
    func finish() -> [UInt8] { hash.finish() }
}
