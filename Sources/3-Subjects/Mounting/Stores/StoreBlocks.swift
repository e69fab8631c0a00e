import Synchronization
import ValiseFailures

/// A file of a store, block by block: from the cache, or fetched. Who reads on gets several blocks at a time.
final class StoreBlocks: Sendable {
    let size: Int64
    private let file: any FetchedFile
    private let version: [UInt8]
    private let cache: BlockCache
    private let ahead = Mutex(Ahead())

    /// How far is read on.
    private struct Ahead {
        /// The block behind the last run.
        var next: Int64 = -1
        var count: Int64 = 1
    }

    /// In bytes.
    static let blockSize: Int64 = 1 << 20
    private static let longestRun: Int64 = 4

    init(_ file: any FetchedFile, _ version: [UInt8], _ cache: BlockCache) {
        self.file = file
        self.version = version
        self.cache = cache
        size = file.size
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let wanted = Int(min(Int64(buffer.count), size - offset))
        var filled = 0
        while filled < wanted {
            try checkpoint()
            let place = offset + Int64(filled)
            let block = try block(place / Self.blockSize, checkpoint)
            let start = Int(place % Self.blockSize)
            let count = min(block.count - start, wanted - filled)
            guard count > 0 else {
                throw MountError(.damaged, "the store has less than the file should have")
            }
            unsafe block.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
            filled += count
        }
        return filled
    }

    private func key(_ number: Int64) -> BlockKey { BlockKey(version: version, number: number) }

    /// How many blocks have to be fetched up to the next one that is there.
    private func unknown(from number: Int64, most: Int64) -> Int64 {
        var count: Int64 = 1
        while count < most, !cache.contains(key(number + count)) { count += 1 }
        return count
    }

    private func block(_ number: Int64, _ checkpoint: () throws -> Void) throws -> [UInt8] {
        if let known = cache.block(key(number)) { return known }
        let blocks = (size + Self.blockSize - 1) / Self.blockSize
        let count = ahead.withLock { ahead in
            ahead.count = ahead.next == number ? min(ahead.count * 2, Self.longestRun) : 1
            ahead.count = unknown(from: number, most: min(ahead.count, blocks - number))
            ahead.next = number + ahead.count
            return ahead.count
        }
        let start = number * Self.blockSize
        let range = start..<min(size, start + count * Self.blockSize)
        let bytes = try file.bytes(in: range, checkpoint: checkpoint)
        guard bytes.count == range.count else {
            throw MountError(.damaged, "the store has less than the file should have")
        }
        var first: [UInt8] = []
        for place in 0..<Int(count) {
            let part = Array(bytes.dropFirst(place * Int(Self.blockSize)).prefix(Int(Self.blockSize)))
            cache.add(part, key(number + Int64(place)))
            if place == 0 { first = part }
        }
        return first
    }
}
