import ValiseEncoding
package import ValiseStorage

/// The list of blobs at the end of a pack (section 5 of the fact sheet):
///
///     blobs ‖ sealed entries ‖ length of the sealed entries (u32, little endian)
///
/// One entry is a type, the sealed length, for compressed blobs the length of the content, and the digest. Where a blob begins
/// is the sum of the lengths before it.
package enum PackHeader {
    /// The most that other programs read: some 409,000 entries.
    package static let largest = 16 << 20
    /// An entry without a length of the content, the smaller of both forms.
    static let plainEntrySize = 37
    static let compressedEntrySize = 41
    static let lengthSize = 4
    /// So many entries are read with the length, as most packs of files have no more.
    private static let eagerEntries = 15

    /// Reads the entries of a pack.
    ///
    /// - Parameters:
    ///   - pack: named by errors.
    ///   - size: of the file.
    ///   - read: reads bytes of it.
    /// - Returns: the blobs, in their order; one digest may be there twice.
    /// - Throws: ``RepositoryError``: `damaged`; whatever `read` throws.
    package static func read(
        _ pack: ContentID, size: Int64, _ codec: inout RepositoryCodec,
        _ read: (Range<Int64>) throws -> [UInt8]
    ) throws -> [PackedBlob] {
        do {
            let sealed = try sealed(size: size, read)
            let entries = try codec.sealing.open(sealed)
            return try blobs(entries, end: size - Int64(sealed.count + lengthSize))
        } catch let error as RepositoryError {
            throw error.naming(.file(.data, pack))
        }
    }

    /// Reads the entries of a pack that is in memory.
    /// - Throws: ``RepositoryError``: `damaged`.
    package static func read(
        _ pack: ContentID, _ bytes: [UInt8], _ codec: inout RepositoryCodec
    ) throws -> [PackedBlob] {
        try read(pack, size: Int64(bytes.count), &codec) { range in
            Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    /// The sealed entries, without the length behind them.
    private static func sealed(size: Int64, _ read: (Range<Int64>) throws -> [UInt8]) throws -> [UInt8] {
        let eager = Int64(eagerEntries * compressedEntrySize + SealingContext.overhead + lengthSize)
        let start = max(0, size - eager)
        let tail = try exactly(start..<max(start, size), read)
        guard tail.count > lengthSize else { throw damaged("too short for a pack") }
        let length = tail.suffix(lengthSize).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length >= SealingContext.overhead + plainEntrySize else {
            throw damaged("the header has no entries")
        }
        guard length <= largest else {
            throw damaged("the header has more than the expected \(Count.bytes(Int64(largest)))")
        }
        let headerStart = size - Int64(lengthSize + length)
        guard headerStart > 0 else { throw damaged("the header is longer than the pack") }
        guard headerStart < start else { return Array(tail.dropLast(lengthSize).suffix(length)) }
        return try exactly(headerStart..<start, read) + tail.dropLast(lengthSize)
    }

    /// A store may be wrong, too.
    private static func exactly(
        _ range: Range<Int64>, _ read: (Range<Int64>) throws -> [UInt8]
    ) throws -> [UInt8] {
        let bytes = try read(range)
        guard bytes.count == range.count else { throw damaged("shorter than its size") }
        return bytes
    }

    /// - Parameter end: where the last blob ends.
    private static func blobs(_ entries: [UInt8], end: Int64) throws -> [PackedBlob] {
        var reader = ByteReader(entries)
        var blobs: [PackedBlob] = []
        blobs.reserveCapacity(entries.count / plainEntrySize)
        var offset: Int64 = 0
        while reader.remaining > 0 {
            guard let blob = try blob(&reader, at: offset) else {
                throw damaged("an entry of the header is cut off")
            }
            // At most 16 MiB of entries with 32 bits each: the sum cannot overflow.
            offset += Int64(blob.sealedLength)
            blobs.append(blob)
        }
        guard offset == end else {
            throw damaged(
                "the entries of the header add up to \(Count.text(offset, "byte")), expected \(end)")
        }
        return blobs
    }

    /// Nil where fewer bytes are left than an entry has.
    private static func blob(_ reader: inout ByteReader, at offset: Int64) throws -> PackedBlob? {
        guard let type = try? reader.take(1).first else { return nil }
        guard type < 4 else { throw RepositoryError(.unsupported, "unknown type of blob (\(type))") }
        let isCompressed = type >= 2
        guard reader.remaining >= (isCompressed ? compressedEntrySize : plainEntrySize) - 1 else {
            return nil
        }
        let sealedLength = Int(try reader.littleEndian(UInt32.self))
        let contentLength = isCompressed ? Int(try reader.littleEndian(UInt32.self)) : nil
        guard let id = ContentID(try reader.take(ContentID.size)) else { return nil }
        guard sealedLength >= SealingContext.overhead else {
            throw damaged("an entry of the header is shorter than encrypted content")
        }
        return PackedBlob(
            type % 2 == 0 ? .data : .tree, id, offset: offset, sealedLength: sealedLength,
            contentLength: contentLength)
    }

    private static func damaged(_ what: String) -> RepositoryError { RepositoryError(.damaged, what) }

    // MARK: Writing

    /// The entry of a blob.
    static func append(_ blob: PackedBlob, to entries: inout [UInt8]) throws(RepositoryError) {
        guard let sealedLength = UInt32(exactly: blob.sealedLength),
            let contentLength = UInt32(exactly: blob.contentLength)
        else { throw RepositoryError(.invalid, "blob \(blob.id) is too large for a pack") }
        entries.append((blob.kind == .tree ? 1 : 0) + (blob.isCompressed ? 2 : 0))
        entries.append(bigEndian: sealedLength.byteSwapped)
        if blob.isCompressed { entries.append(bigEndian: contentLength.byteSwapped) }
        entries.append(contentsOf: blob.id.bytes)
    }
}
