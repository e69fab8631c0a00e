import Synchronization
import ValiseCryptography
import ValiseFiles

/// The chunks of a file for several threads, each for one of them.
final class ChunkSource: Sendable {
    /// Its memory has one owner, who may change it.
    struct Chunk: ~Copyable, Sendable {
        let number: Int
        /// What will be stored: the content, or where it is to be encrypted what ``ChunkSealing`` makes room for.
        var object: [UInt8]
    }

    private struct State: ~Copyable {
        var chunker: ContentChunker
        var hash: BLAKE3
        var count = 0
        var offset: Int64 = 0
    }

    private let state: Mutex<State>
    private let sealing: ChunkSealing?
    private let buffers: ChunkBuffers

    /// - Parameters:
    ///   - source: what is cut.
    ///   - sizes: of the chunks.
    ///   - sealing: what will encrypt them; nil where nothing does.
    ///   - buffers: where they come into.
    /// - Throws: `CryptographyError`.
    init(
        _ source: any ByteSource, _ sizes: ChunkSizes, _ sealing: ChunkSealing?, _ buffers: ChunkBuffers
    ) throws {
        (self.sealing, self.buffers) = (sealing, buffers)
        state = Mutex(State(chunker: ContentChunker(source, sizes), hash: try BLAKE3()))
    }

    /// The next chunk, once its bytes fit into the budget; nil behind the last one, and where the budget has ended.
    func next(_ budget: ByteBudget) throws -> Chunk? {
        try state.withLock { state throws in
            let object = try unsafe state.chunker.next { content -> [UInt8]? in
                let size = content.count + (sealing == nil ? 0 : ChunkSealing.overhead)
                guard budget.take(size) else { return nil }
                unsafe state.hash.update(content)
                state.offset += Int64(content.count)
                var object = buffers.take(size)
                if let sealing {
                    unsafe sealing.lay(content, into: &object)
                } else {
                    unsafe object.append(contentsOf: content)
                }
                return object
            }
            guard let object = object ?? nil else { return nil }
            defer { state.count += 1 }
            return Chunk(number: state.count, object: object)
        }
    }

    /// Bytes of all chunks until now.
    var offset: Int64 { state.withLock { $0.offset } }

    /// The digest of all chunks until now.
    var digest: ContentDigest { state.withLock { ContentDigest(digest: $0.hash.digest()) } }
}
