import CValiseZlib
import SystemPackage
import ValiseFiles

/// Where the blocks of a deflated entry lie, if nearly all of them are stored as they are.
///
/// Deflate makes such blocks of what does not shrink, so that an encrypted database in an archive of the official
/// programs is a chain of them. Each tells its length, so that the chain is known after a few bytes of each, and any
/// byte is found without unpacking. What lies between them, a page of zeros for one, is unpacked and kept.
struct DeflateOutline {
    /// A run of bytes: a stored block, or what was unpacked between two.
    enum Place {
        case packed(Int64)
        case unpacked(Int)
    }

    /// Where each run begins in the unpacked entry, and where its bytes are.
    private(set) var runs: [(start: Int64, place: Place)] = []
    private(set) var unpacked: [UInt8] = []
    private(set) var size: Int64 = 0

    /// Of some 17 GiB as zlib packs them; in memory 25 MB.
    private static let mostRuns = 1 << 20
    private static let mostUnpacked = 8 << 20

    private let packed: any ByteSource
    /// The next block: where its bytes begin, or for one that is not stored the block itself.
    private var position: Int64 = 0
    private var isFinal = false

    /// - Returns: nil where much is really compressed, or anything is not as it should be.
    /// - Throws: errors of the source.
    init?(_ packed: any ByteSource, size expected: Int64) throws {
        self.packed = packed
        while !isFinal {
            // All blocks that are met here begin on a whole byte.
            guard runs.count < Self.mostRuns, size <= expected, let first = try bytes(at: position, 1)?.first
            else { return nil }
            let isRead =
                first & 6 == 0
                ? try addStored(lengthAt: position + 1, isFinal: first & 1 == 1) : try addUnpacked()
            guard isRead else { return nil }
        }
        guard size == expected else { return nil }
    }

    private func bytes(at offset: Int64, _ count: Int) throws -> [UInt8]? {
        let bytes = try packed.bytes(at: offset, upTo: count)
        return bytes.count == count ? bytes : nil
    }

    private mutating func addStored(lengthAt offset: Int64, isFinal: Bool) throws -> Bool {
        guard let numbers = try bytes(at: offset, 4) else { return false }
        let length = Int64(numbers[0]) | Int64(numbers[1]) << 8
        guard length ^ (Int64(numbers[2]) | Int64(numbers[3]) << 8) == 0xffff,
            offset + 4 + length <= packed.size
        else { return false }
        runs.append((size, .packed(offset + 4)))
        size += length
        position = offset + 4 + length
        self.isFinal = isFinal
        return true
    }

    // MARK: Between stored blocks

    /// Unpacks blocks up to the next stored one.
    private mutating func addUnpacked() throws -> Bool {
        guard let inflater = try BlockInflater(window: window(), packed, at: position) else { return false }
        let start = unpacked.count
        repeat {
            guard try inflater.readBlock(into: &unpacked, most: Self.mostUnpacked) else { return false }
        } while !inflater.isFinal && inflater.nextHeader.map { $0 & 6 != 0 } ?? false
        runs.append((size, .unpacked(start)))
        size += Int64(unpacked.count - start)
        if inflater.isFinal {
            isFinal = true
            return true
        }
        guard let header = inflater.nextHeader, runs.count < Self.mostRuns else { return false }
        return try addStored(lengthAt: inflater.nextLength, isFinal: header & 1 == 1)
    }

    /// What Deflate may refer back to.
    private func window() throws -> [UInt8] {
        let count = Int(min(size, 32 << 10))
        var window = [UInt8](repeating: 0, count: count)
        try unsafe window.withUnsafeMutableBytes { try unsafe read(into: $0, at: size - Int64(count)) }
        return window
    }

    // MARK: Reading

    /// Fills the buffer, which must lie inside the entry.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        var filled = 0
        var index = run(at: offset)
        while filled < buffer.count {
            let place = offset + Int64(filled)
            let end = index + 1 < runs.count ? runs[index + 1].start : size
            let count = Int(min(end - place, Int64(buffer.count - filled)))
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            switch runs[index].place {
            case .packed(let start): try unsafe packed.fill(target, at: start + place - runs[index].start)
            case .unpacked(let start):
                let first = start + Int(place - runs[index].start)
                unsafe target.copyBytes(from: unpacked[first..<first + count])
            }
            filled += count
            index += 1
        }
    }

    /// The last run that begins at or before a place.
    private func run(at offset: Int64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

/// A deflated entry that is read by its outline, by any number of threads at once.
final class OutlinedSource: ByteSource {
    let path: FilePath
    private let outline: DeflateOutline

    var size: Int64 { outline.size }

    init(_ outline: DeflateOutline, path: FilePath) {
        self.outline = outline
        self.path = path
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        try unsafe outline.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
        return count
    }
}
