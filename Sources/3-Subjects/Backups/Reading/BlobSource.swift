import Synchronization
package import SystemPackage
import ValiseFiles
package import ValiseRepository
package import ValiseStorage

/// A file of a snapshot, read piece by piece. Pieces that lie beside each other in a pack come with one request; who reads on
/// gets longer runs.
package final class BlobSource: ByteSource {
    package let path: FilePath
    package var size: Int64 { offsets.size }

    private let repository: Repository
    private let ids: [ContentID]
    private let offsets: BlobOffsets
    private let cache: BlobCache
    private let ahead = Mutex(Ahead())

    /// How far is read on.
    private struct Ahead {
        /// The piece behind the last run.
        var next = 0
        var count = 1
    }

    private static let longestRun = 256
    /// In bytes, of content.
    private static let largestRun: Int64 = 2 << 20
    private static let largestGap: Int64 = 16 << 10

    /// - Parameters:
    ///   - ids: its pieces.
    ///   - cache: of all files of the snapshot.
    /// - Throws: `RepositoryError`: `missing`; ``BackupError``.
    package init(_ path: FilePath, _ ids: [ContentID], in repository: Repository, _ cache: BlobCache) throws {
        self.path = path
        self.ids = ids
        self.repository = repository
        self.cache = cache
        offsets = try BlobOffsets(ids, in: repository)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size, unsafe !buffer.isEmpty else { return 0 }
        let wanted = Int(min(Int64(buffer.count), size - offset))
        let last = offsets.number(at: offset + Int64(wanted) - 1)
        var filled = 0
        var number = offsets.number(at: offset)
        while filled < wanted {
            let content = try content(number, upTo: last)
            let start = Int(offset + Int64(filled) - offsets.start(of: number))
            let count = min(content.bytes.count - start, wanted - filled)
            guard count > 0 else { return filled }
            unsafe content.bytes.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
            filled += count
            number += 1
        }
        return filled
    }

    private func content(_ number: Int, upTo last: Int) throws -> BlobCache.Content {
        if let known = cache.content(ids[number]) { return known }
        let wanted = ahead.withLock { ahead in
            ahead.count = ahead.next == number ? min(ahead.count * 2, Self.longestRun) : 1
            return max(ahead.count, min(last - number + 1, Self.longestRun))
        }
        let (pack, blobs) = try run(from: number, wanted)
        ahead.withLock { $0.next = number + blobs.count }
        var first: BlobCache.Content?
        try repository.read(blobs, of: pack) { place, bytes in
            let content = BlobCache.Content(bytes)
            cache.add(content, blobs[place].id)
            first = first ?? content
        }
        // A run is never empty.
        return try first ?? BlobCache.Content(repository.blob(ids[number], .data))
    }

    /// The piece and those that follow it in the file and in its pack.
    private func run(from number: Int, _ wanted: Int) throws -> (pack: ContentID, blobs: [PackedBlob]) {
        let (pack, first) = try repository.place(of: ids[number], .data)
        var blobs = [first]
        var size = Int64(first.contentLength)
        while blobs.count < wanted, number + blobs.count < ids.count {
            let next = try repository.place(of: ids[number + blobs.count], .data)
            let end = blobs[blobs.count - 1].range.upperBound
            size += Int64(next.blob.contentLength)
            guard next.pack == pack, next.blob.offset >= end, next.blob.offset - end <= Self.largestGap,
                size <= Self.largestRun
            else { break }
            blobs.append(next.blob)
        }
        return (pack, blobs)
    }
}
