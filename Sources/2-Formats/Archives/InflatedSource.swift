import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// A deflated entry that can be read at any place.
///
/// It is seen as blocks. At the starts of blocks copies of zlib's state are kept, so that little is unpacked to
/// get to any byte; the last blocks stay in memory. All of it takes at most some 25 MiB, whatever the entry's
/// size: of a large entry there are larger blocks, and not all have their state kept.
final class InflatedSource: ByteSource {
    let size: Int64
    let path: FilePath
    private let reader: Mutex<InflatedBlocks>

    /// - Throws: ``ZipError`` when zlib has no memory.
    init(_ packed: any ByteSource, size: Int64, entry: String) throws {
        self.size = size
        path = packed.path
        reader = Mutex(try InflatedBlocks(packed, size: size, entry: entry))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        // A pointer may not be sent into the lock's closure; its address may.
        let address = UInt(bitPattern: buffer.baseAddress)
        let count = buffer.count
        return try reader.withLock { blocks in
            let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
            return try unsafe blocks.read(
                into: UnsafeMutableRawBufferPointer(start: start, count: count), at: offset)
        }
    }
}

/// The blocks of a deflated entry. For one thread at a time.
private struct InflatedBlocks {
    private let packed: any ByteSource
    private let size: Int64
    private let entry: String
    private let blockSize: Int64
    /// A state is kept for each block whose number is a multiple of this.
    private let stride: Int
    /// As far as they were reached.
    private var states: [Inflater]
    /// Stands before this block, for reading on.
    private var next: (number: Int, inflater: Inflater)?
    /// The blocks in memory, the one used last at the end.
    private var recent: [(number: Int, bytes: [UInt8])] = []

    private static let mostStates: Int64 = 256
    private static let blockSizes: ClosedRange<Int64> = (256 << 10)...(4 << 20)
    private static let recentMemory: Int64 = 10 << 20

    init(_ packed: any ByteSource, size: Int64, entry: String) throws {
        self.packed = packed
        self.size = size
        self.entry = entry
        blockSize = min(
            max(size / Self.mostStates + 1, Self.blockSizes.lowerBound), Self.blockSizes.upperBound)
        stride = Int(size / blockSize / Self.mostStates + 1)
        states = [try Self.made(Inflater())]
    }

    private static func made(_ inflater: Inflater?) throws(ZipError) -> Inflater {
        guard let inflater else { throw ZipError.noMemory }
        return inflater
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0 else { return 0 }
        var filled = 0
        while filled < buffer.count, offset + Int64(filled) < size {
            let place = offset + Int64(filled)
            let block = try block(Int(place / blockSize))
            let start = Int(place % blockSize)
            let count = min(block.count - start, buffer.count - filled)
            unsafe block.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
            filled += count
        }
        return filled
    }

    private mutating func block(_ number: Int) throws -> [UInt8] {
        if let index = recent.firstIndex(where: { $0.number == number }) {
            let found = recent.remove(at: index)
            recent.append(found)
            return found.bytes
        }
        var (current, inflater) = try start(for: number)
        var bytes: [UInt8] = []
        while true {
            if current % stride == 0, current / stride == states.count {
                states.append(try Self.made(inflater.copy()))
            }
            bytes = try unpack(current, inflater)
            current += 1
            if current > number { break }
        }
        next = (current, inflater)
        while recent.count > 1, Int64(recent.count + 1) * blockSize > Self.recentMemory {
            recent.removeFirst()
        }
        recent.append((number, bytes))
        return bytes
    }

    /// The nearest point before a block from which it can be unpacked.
    private mutating func start(for number: Int) throws -> (number: Int, inflater: Inflater) {
        let kept = min(number / stride, states.count - 1)
        // What stands there is used up, and given back after success only.
        if let next, next.number <= number, next.number >= kept * stride {
            self.next = nil
            return next
        }
        return (kept * stride, try Self.made(states[kept].copy()))
    }

    private func unpack(_ number: Int, _ inflater: Inflater) throws -> [UInt8] {
        let wanted = Int(min(blockSize, size - Int64(number) * blockSize))
        let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: wanted) { memory, count in
            count = try unsafe inflater.read(
                into: UnsafeMutableRawBufferPointer(memory), from: packed, entry: entry)
        }
        guard bytes.count == wanted else {
            throw ZipError.damaged(
                .sizeMismatch, "expands to less than the declared \(Count.text(size, "byte"))", entry: entry)
        }
        return bytes
    }
}
