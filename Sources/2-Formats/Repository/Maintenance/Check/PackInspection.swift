import ValiseCryptography
import ValiseStorage

/// Reads a pack as a check does: its digest, its header, and each of its blobs, in windows of some megabytes.
struct PackInspection: ~Copyable {
    /// What is wrong with a pack.
    struct Outcome {
        var isDigestRight = true
        /// What is wrong with the header.
        var headerProblem: (any Error)?
        var isHeaderOther = false
        var blobs: [(blob: PackedBlob, error: any Error)] = []
    }

    private let repository: Repository
    private let pack: ContentID
    private let size: Int64
    private var hash = SHA256()
    private var place: Int64 = 0

    /// What is read at once, unless a blob is larger.
    private static let window: Int64 = 4 << 20

    private init(_ repository: Repository, _ pack: ContentID, size: Int64) {
        self.repository = repository
        self.pack = pack
        self.size = size
    }

    /// Inspects a pack.
    ///
    /// - Parameters:
    ///   - size: as it is stored.
    ///   - table: what the index says of it. Where the header says anything else, blobs are not read.
    ///   - read: is told of bytes that were read.
    /// - Throws: `StorageError`; ``RepositoryError``: `damaged` where the store gives fewer bytes.
    static func run(
        _ repository: Repository, _ pack: ContentID, size: Int64, _ table: BlobTable,
        read: (Int64) -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        var blobs: [PackedBlob] = []
        do {
            blobs = try repository.header(of: pack, size: size)
            outcome.isHeaderOther = try !table.matches(IndexedPack(pack, blobs))
        } catch let error as RepositoryError {
            outcome.headerProblem = error
        }
        // Where both differ, the index is what blobs are read by, and the header says nothing about it.
        if outcome.isHeaderOther { blobs = [] }
        var inspection = PackInspection(repository, pack, size: size)
        var next = blobs[...]
        while inspection.place < size {
            try inspection.readWindow(&next, &outcome, read)
        }
        outcome.isDigestRight = try inspection.finish()
        return outcome
    }

    private consuming func finish() throws -> Bool { ContentID(hash.finalize()) == pack }

    /// - Parameter blobs: those that begin here or later, without gaps.
    private mutating func readWindow(
        _ blobs: inout ArraySlice<PackedBlob>, _ outcome: inout Outcome, _ read: (Int64) -> Void
    ) throws {
        var wanted: [PackedBlob] = []
        var end = min(size, place + Self.window)
        if let first = blobs.first, first.fitsMemory {
            end = first.range.upperBound
            while let blob = blobs.first, blob.fitsMemory,
                wanted.isEmpty || blob.range.upperBound - place <= Self.window
            {
                wanted.append(blob)
                end = blob.range.upperBound
                blobs.removeFirst()
            }
        } else if let first = blobs.first {
            let error = RepositoryError(.unsupported, "blob \(first.id) is too large", .file(.data, pack))
            outcome.blobs.append((first, error))
            // Its bytes and those behind it are hashed only.
            blobs = []
        }
        let bytes = try repository.bytes(of: pack, place..<end)
        try unsafe bytes.withUnsafeBytes { memory in
            unsafe hash.update(memory)
            for blob in wanted {
                let start = Int(blob.offset - place)
                let sealed = unsafe UnsafeRawBufferPointer(
                    rebasing: memory[start..<start + blob.sealedLength])
                do {
                    _ = try repository.codecs.use { try unsafe blob.decode(sealed, in: pack, &$0) }
                } catch let error as RepositoryError where error.kind != .failed {
                    outcome.blobs.append((blob, error))
                }
            }
        }
        read(end - place)
        place = end
    }
}

extension Repository {
    /// The blobs of a pack by its own header.
    /// - Throws: ``RepositoryError``; `StorageError`.
    func header(of pack: ContentID, size: Int64) throws -> [PackedBlob] {
        try Self.twice {
            try codecs.use { codec in
                try PackHeader.read(pack, size: size, &codec) { try bytes(of: pack, $0) }
            }
        }
    }

    /// Bytes of a pack, as many as were asked for.
    /// - Throws: ``RepositoryError``: `damaged`; `StorageError`.
    func bytes(of pack: ContentID, _ range: Range<Int64>) throws -> [UInt8] {
        let bytes = try store.get(.file(.data, pack), range)
        guard bytes.count == range.count else {
            throw RepositoryError(.damaged, "shorter than its size", .file(.data, pack))
        }
        return bytes
    }
}
