import Synchronization
import ValiseCryptography
import ValiseFiles

/// The chunks of a file for several threads, each for one of them.
final class ChunkSource: Sendable {
    struct Chunk: Sendable {
        let number: Int
        let content: [UInt8]
    }

    private struct State: ~Copyable {
        var chunker: ContentChunker
        var hash: BLAKE3
        var count = 0
        var offset: Int64 = 0
    }

    private let state: Mutex<State>

    /// - Throws: `CryptographyError`.
    init(_ source: any ByteSource, _ sizes: ChunkSizes) throws {
        state = Mutex(State(chunker: ContentChunker(source, sizes), hash: try BLAKE3()))
    }

    /// The next chunk, once its bytes fit into the budget; nil behind the last one, and where the budget has ended.
    func next(_ budget: ByteBudget, weight: (Int) -> Int) throws -> Chunk? {
        try state.withLock { state throws in
            guard let content = try unsafe state.chunker.next({ unsafe Array($0) }) else { return nil }
            guard budget.take(weight(content.count)) else { return nil }
            state.hash.update(content)
            state.offset += Int64(content.count)
            defer { state.count += 1 }
            return Chunk(number: state.count, content: content)
        }
    }

    /// Bytes of all chunks until now.
    var offset: Int64 { state.withLock { $0.offset } }

    /// The digest of all chunks until now.
    var digest: ContentDigest { state.withLock { ContentDigest(digest: $0.hash.digest()) } }
}
