import ValiseEncoding
import ValiseFiles

/// Unpacks entries from their first byte to their last, through buffers that are used for entry after entry.
///
/// For one thread at a time.
@safe final class EntryUnpacker {
    /// For packed bytes.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 4096)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 << 10, alignment: 4096)
    private let oneShot: OneShotInflater

    /// Room for a stretch that cannot be packed, one before it, and what proves their end.
    static let inputSize = 3 << 19

    init() throws(ZipError) {
        oneShot = try OneShotInflater()
    }

    deinit {
        unsafe input.deallocate()
        unsafe output.deallocate()
    }

    /// - Parameters:
    ///   - consume: gets the bytes in order, never more than the entry claims.
    ///   - advance: gets the number of packed bytes that were read since the last call; throw to stop.
    /// - Throws: ``ZipError`` when the bytes are not those that were packed; errors of the source and of the
    ///   closures.
    func unpack(
        _ entry: ZipEntry, in archive: any ByteSource,
        _ consume: (UnsafeRawBufferPointer) throws -> Void, advance: (Int64) throws -> Void = { _ in }
    ) throws {
        let packed = try entry.packedBytes(in: archive)
        var checksum = Checksum()
        func take(_ bytes: UnsafeRawBufferPointer) throws {
            unsafe checksum.update(bytes)
            try unsafe consume(bytes)
        }
        switch entry.method {
        case .stored: try unsafe copy(entry, 0..<entry.size, packed, take, advance)
        case .deflated:
            if unsafe entry.size <= Int64(output.count), try unsafe inflateAtOnce(entry, packed, into: output)
            {
                try unsafe take(UnsafeRawBufferPointer(rebasing: output[..<Int(entry.size)]))
                try advance(packed.size)
            } else {
                try unsafe inflate(entry, packed, take, advance)
            }
        }
        try entry.require(checksum)
    }

    /// Unpacks an entry that the buffer has space for.
    /// - Throws: as ``unpack(_:in:_:advance:)``.
    func unpack(
        _ entry: ZipEntry, in archive: any ByteSource, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Checksum {
        let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(entry.size)])
        let packed = try entry.packedBytes(in: archive)
        if unsafe entry.method == .stored
            ? try packed.read(into: bytes, at: 0) == bytes.count
            : try inflateAtOnce(entry, packed, into: bytes)
        {
            let checksum = unsafe Checksum(UnsafeRawBufferPointer(bytes))
            try entry.require(checksum)
            return checksum
        }
        // It is damaged, or larger than usual; here it is told how.
        var filled = 0
        try unsafe unpack(entry, in: archive) { piece in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]).copyMemory(from: piece)
            filled += piece.count
        }
        return Checksum(value: entry.checksum, count: entry.size)
    }

    /// Unpacks a stretch that lies in the input; see ``OneShotInflater``.
    ///
    /// - Parameter output: has space for ``OneShotInflater/probeSize`` bytes more than a stretch may unpack to, the
    ///   last one too.
    func inflateStretch(
        _ count: Int, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let available = output.count - OneShotInflater.probeSize
        return unsafe isLast
            ? oneShot.inflate(
                UnsafeRawBufferPointer(rebasing: input[..<count]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[..<available]))
            : oneShot.inflateStretch(
                UnsafeMutableRawBufferPointer(rebasing: input[..<(count + OneShotInflater.probeSize)]),
                into: output)
    }

    /// Only a stretch of a stored entry.
    func checksum(
        ofStored entry: ZipEntry, _ range: Range<Int64>, in archive: any ByteSource,
        advance: (Int64) throws -> Void
    ) throws -> Checksum {
        var checksum = Checksum()
        try unsafe copy(entry, range, entry.packedBytes(in: archive), { unsafe checksum.update($0) }, advance)
        return checksum
    }

    private func copy(
        _ entry: ZipEntry, _ range: Range<Int64>, _ packed: any ByteSource,
        _ consume: (UnsafeRawBufferPointer) throws -> Void, _ advance: (Int64) throws -> Void
    ) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let available = unsafe Int(min(Int64(output.count), range.upperBound - offset))
            let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<available])
            guard try unsafe packed.read(into: chunk, at: offset) == available else { throw entry.truncated }
            try unsafe consume(UnsafeRawBufferPointer(chunk))
            offset += Int64(available)
            try advance(Int64(available))
        }
    }

    /// - Returns: false when it has to be done in steps, to be possible or to tell what is wrong.
    private func inflateAtOnce(
        _ entry: ZipEntry, _ packed: any ByteSource, into output: UnsafeMutableRawBufferPointer
    ) throws -> Bool {
        guard unsafe packed.size <= Int64(input.count) else { return false }
        let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: input[..<Int(packed.size)])
        guard try unsafe packed.read(into: bytes, at: 0) == bytes.count else { return false }
        return unsafe oneShot.inflate(UnsafeRawBufferPointer(bytes), into: output) == Int(entry.size)
    }

    private func inflate(
        _ entry: ZipEntry, _ packed: any ByteSource,
        _ consume: (UnsafeRawBufferPointer) throws -> Void, _ advance: (Int64) throws -> Void
    ) throws {
        let run = try SerialInflation(entry, packed)
        while !run.isAtEnd {
            let before = run.position
            let count = try unsafe run.next(into: output)
            try unsafe consume(UnsafeRawBufferPointer(rebasing: output[..<count]))
            try advance(run.position - before)
        }
    }
}

/// A deflated entry that is unpacked from one end to the other.
final class SerialInflation: @unchecked Sendable {
    // Unchecked: after its init it is touched by the pieces of one serial queue, or by the one thread that made it.
    private let inflater: Inflater
    private let entry: ZipEntry
    private let packed: any ByteSource
    /// Of the bytes that the entry claims.
    private var left: Int64
    private(set) var isAtEnd = false

    /// Where in the packed bytes it goes on.
    var position: Int64 { inflater.position }

    /// - Throws: ``ZipError`` without memory.
    convenience init(_ entry: ZipEntry, _ packed: any ByteSource) throws(ZipError) {
        guard let inflater = Inflater() else { throw .noMemory }
        self.init(entry, packed, from: inflater, done: 0)
    }

    /// - Parameters:
    ///   - inflater: where it goes on.
    ///   - done: how much was unpacked before.
    init(_ entry: ZipEntry, _ packed: any ByteSource, from inflater: Inflater, done: Int64) {
        self.entry = entry
        self.packed = packed
        self.inflater = inflater
        left = entry.size - done
    }

    /// Fills the buffer; less only at the end of the entry, where it looks at the end of its data too.
    /// - Throws: ``ZipError``; errors of the source.
    func next(into output: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = Int(min(Int64(output.count), left))
        let count = try unsafe inflater.read(
            into: UnsafeMutableRawBufferPointer(rebasing: output[..<wanted]), from: packed, entry: entry.name)
        left -= Int64(count)
        guard count < wanted || left == 0 else { return count }
        try unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { more in
            guard try unsafe inflater.read(into: more, from: packed, entry: entry.name) == 0 else {
                throw entry.tooLong
            }
        }
        guard inflater.position == packed.size else { throw entry.endsEarly }
        isAtEnd = true
        return count
    }
}

extension ZipEntry {
    var tooLong: ZipError {
        .damaged(.sizeMismatch, "expands to more than the declared \(Count.text(size, "byte"))", entry: name)
    }

    var endsEarly: ZipError {
        .damaged(
            .sizeMismatch,
            "compressed data ends before the declared \(Count.text(compressedSize, "byte"))", entry: name)
    }

    var truncated: ZipError { .damaged(.truncated, "the archive ends inside this entry", entry: name) }

    /// - Throws: ``ZipError`` when this is not what was packed.
    func require(_ found: Checksum) throws(ZipError) {
        // Of an index that is checked they are equal; a salvage may come with anything.
        guard method == .deflated || compressedSize == size else {
            throw .damaged(.sizeMismatch, "stored uncompressed, but with two different sizes", entry: name)
        }
        guard found.count == size else {
            throw .damaged(
                .sizeMismatch,
                "expands to \(Count.text(found.count, "byte")), but declares \(size)", entry: name)
        }
        guard found.value == checksum else {
            throw .damaged(.checksum, "damaged data: CRC-32 checksum mismatch", entry: name)
        }
    }
}
