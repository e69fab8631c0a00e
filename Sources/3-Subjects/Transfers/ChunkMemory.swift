import ValiseMediaRules

/// The memory of one chunk, used for chunk after chunk. One owner at a time reads or writes it.
public final class ChunkMemory: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes of it are the chunk.
    public private(set) var count = 0

    /// The largest chunk that relays take, in bytes.
    public static let capacity = Int(ChunkSize.mib4.bytes)

    public init() {
        memory = .allocate(byteCount: Self.capacity, alignment: 4096)
    }

    deinit { memory.deallocate() }

    /// Makes room for a chunk; its bytes are whatever they were.
    public func resize(to count: Int) {
        precondition((0...Self.capacity).contains(count), "a chunk larger than any")
        self.count = count
    }

    /// The bytes of the chunk, as long as this object lives and nobody else uses it.
    public var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    }
}
