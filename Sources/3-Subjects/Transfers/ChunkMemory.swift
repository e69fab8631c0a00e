import Synchronization
import ValiseConcurrency
import ValiseMediaRules

/// The memory of one chunk, used for chunk after chunk. One owner at a time reads or writes it.
package final class ChunkMemory: Sendable {
    private let memory = TransferBuffer(byteCount: capacity, inLargePages: false)
    private let size = Atomic(0)

    /// How many bytes of it are the chunk.
    package var count: Int { size.load(ordering: .relaxed) }

    /// The largest chunk that relays take, in bytes.
    package static let capacity = Int(ChunkSize.mib4.bytes)

    package init() {}

    /// Makes space for a chunk; its bytes are whatever they were.
    package func resize(to count: Int) {
        precondition((0...Self.capacity).contains(count), "a chunk larger than any")
        size.store(count, ordering: .relaxed)
    }

    /// The bytes of the chunk, as long as this object lives and nobody else uses it.
    package var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<count])
    }
}
