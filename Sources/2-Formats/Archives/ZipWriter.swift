import ValiseConcurrency
import ValiseFailures
package import ValiseFiles

/// Writes a zip file front to back, without ever seeking: Zip64 where sizes ask for it, packed on all cores.
///
/// The content is cut into stretches of a mebibyte that are deflated independently, and small entries fill one
/// together. So what is written depends on content and level alone, not on the number of cores. Memory is some
/// 3 MiB for each of these and 35 to 150 bytes for each entry, besides its name.
package final class ZipWriter {
    private let output: any ZipOutput
    /// The output, where that is a file.
    let file: BackgroundWriter?
    private let isReproducible: Bool
    private let whenComplete: ((ZipWrittenEntry) -> Void)?
    private var free: [PackingSlot]
    /// On their way, the first one first.
    private var inFlight: [PackingSlot] = []
    private var current: PackingSlot?

    /// How much of the archive was handed on.
    var offset: Int64 = 0
    /// The entry of which stretches are still to come.
    private var open: ZipEntryRecord?
    var directory: [UInt8] = []
    var entries = 0
    /// An entry that was begun and not ended.
    private(set) var isBroken = false

    /// - Parameters:
    ///   - file: where the archive goes; the writer owns it from here on.
    ///   - level: of Deflate, 1 to 9.
    ///   - isReproducible: whether times are left out, so that the same contents make the same bytes anywhere.
    ///   - workers: how many cores deflate.
    ///   - whenComplete: gets each entry that was added by ``add(_:size:modificationTime:method:next:afterEach:)`` once all of it
    ///     was handed on, in their order, while a later one is added or the archive is settled or finished.
    package convenience init(
        _ file: consuming OpenFile, level: Int = 6, isReproducible: Bool = false,
        workers: Int = ParallelBatches.workers, whenComplete: ((ZipWrittenEntry) -> Void)? = nil
    ) throws {
        let file = BackgroundWriter(file)
        self.init(file, file: file, level, isReproducible, workers, whenComplete)
    }

    /// Writes into a stream, such as a pipe.
    ///
    /// - Parameters:
    ///   - next: takes the next bytes of the archive, on the thread that adds files; throw to stop.
    ///   - level: of Deflate, 1 to 9.
    ///   - isReproducible: whether times are left out, so that the same contents make the same bytes anywhere.
    ///   - workers: how many cores deflate.
    package convenience init(
        stream next: @escaping (UnsafeRawBufferPointer) throws -> Void, level: Int = 6,
        isReproducible: Bool = false, workers: Int = ParallelBatches.workers
    ) {
        unsafe self.init(StreamWriter(next), file: nil, level, isReproducible, workers, nil)
    }

    private init(
        _ output: any ZipOutput, file: BackgroundWriter?, _ level: Int, _ isReproducible: Bool,
        _ workers: Int,
        _ whenComplete: ((ZipWrittenEntry) -> Void)?
    ) {
        self.output = output
        self.file = file
        self.isReproducible = isReproducible
        self.whenComplete = whenComplete
        // One is being filled and one written while the others are packed.
        free = (0..<max(1, workers) + 2).map { _ in
            PackingSlot(level: level, checksPacked: whenComplete != nil)
        }
    }

    /// Adds one file.
    ///
    /// What is added is written while the next is read; a failure may only appear in a later call.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, valid by ``ZipName``.
    ///   - size: how many bytes will come.
    ///   - modificationTime: seconds since 1970; nil to leave it out.
    ///   - method: how they are packed.
    ///   - next: fills the buffer and returns how much; 0 at the end. Bytes past `size` are not asked for.
    ///   - afterEach: called when a piece was taken; throw to stop everything.
    /// - Returns: the bytes that came; fewer than `size` when the source shrank.
    /// - Throws: ``ZipError`` and `FileError` for the archive; whatever the closures throw.
    @discardableResult
    package func add(
        _ name: String, size: Int64, modificationTime: Int64?, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void = {}
    ) throws -> Int64 {
        var record = try record(name, modificationTime, method)
        record.isWide = size >= ZipEntryRecord.wideSize
        return try unsafe add(
            record, count: size, method == .stored ? .store : .deflate, next: next, afterEach: afterEach)
    }

    /// Adds one file that is packed already: its bytes are copied, and neither unpacked nor checked.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, valid by ``ZipName``.
    ///   - packed: the bytes as they shall lie in the archive.
    ///   - method: how they are packed.
    ///   - size: of the file, unpacked.
    ///   - checksum: the CRC-32 of the file, unpacked.
    ///   - modificationTime: in seconds since 1970.
    ///   - afterEach: called when a piece was taken; throw to stop everything.
    /// - Throws: ``ZipError`` and `FileError` for the archive; errors of the source. Of an entry of at most
    ///   1 MiB nothing is in the archive then, and the writer goes on; after a larger one it refuses to.
    package func addPacked(
        _ name: String, _ packed: any ByteSource, method: ZipMethod, size: Int64, checksum: UInt32,
        modificationTime: Int64, afterEach: () throws -> Void = {}
    ) throws {
        guard !isBroken else { throw Self.broken }
        var record = try record(name, modificationTime, method)
        record.size = size
        record.compressedSize = packed.size
        record.checksum = checksum
        record.isWide = max(size, packed.size) >= Int64(UInt32.max)
        try drain()
        record.localOffset = offset
        let header = record.localHeader
        let mark = output.mark(beforeBytes: Int64(header.count) + packed.size)
        do {
            try write(header)
            try copy(packed, afterEach)
        } catch {
            if output.undo(to: mark) { offset = record.localOffset } else { isBroken = true }
            throw error
        }
        directory += record.centralHeader
        entries += 1
    }

    /// Reads the bytes to where they are written from: nothing is computed of them.
    private func copy(_ packed: any ByteSource, _ afterEach: () throws -> Void) throws {
        var position: Int64 = 0
        while position < packed.size {
            let count = try unsafe output.write(upTo: packed.size - position) {
                try unsafe packed.fill($0, at: position)
            }
            position += Int64(count)
            offset += Int64(count)
            try afterEach()
        }
    }

    static let broken = ZipError(
        .failed, .output, "the archive has an incomplete entry")

    private func record(
        _ name: String, _ modificationTime: Int64?, _ method: ZipMethod
    ) throws(ZipError) -> ZipEntryRecord {
        let bytes = Array(name.utf8)
        guard bytes.count <= 0xffff else {
            throw .nameTooLong(name)
        }
        return ZipEntryRecord(
            name: bytes, method: method,
            modificationTime: isReproducible ? .fixed : modificationTime.map { ZipTime($0) } ?? .fixed)
    }

    @discardableResult
    private func add(
        _ record: ZipEntryRecord, count size: Int64, _ method: PackingMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void
    ) throws -> Int64 {
        guard !isBroken else { throw Self.broken }
        var written: Int64 = 0
        var beginning: ZipEntryRecord? = record
        var isLast = false
        while !isLast {
            let slot = try slot(for: min(size - written, Int64(BlockDeflater.stretchSize)))
            let available = unsafe min(slot.available.count, Int(clamping: size - written))
            let (count, isAtEnd) = try unsafe fill(
                UnsafeMutableRawBufferPointer(rebasing: slot.available[..<available])
            ) {
                do {
                    let count = try unsafe next($0)
                    if count > 0 { try afterEach() }
                    return count
                } catch {
                    isBroken = beginning == nil
                    throw error
                }
            }
            written += Int64(count)
            isLast = isAtEnd || written == size
            slot.add(count, method, of: beginning, isLast: isLast)
            beginning = nil
        }
        return written
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> (count: Int, isAtEnd: Bool) {
        var filled = 0
        while filled < buffer.count {
            let count = try unsafe next(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { return (filled, true) }
            filled += count
        }
        return (filled, false)
    }

    // MARK: Stretches on their way

    /// Where so many bytes of one entry fit. Only whole entries share a slot, so that the cuts of each do not
    /// depend on what is around it.
    private func slot(for count: Int64) throws -> PackingSlot {
        if let current {
            if current.hasSpace(for: count) { return current }
            startCurrent()
        }
        if free.isEmpty { try writeFirst() }
        let slot = free.removeLast()
        current = slot
        return slot
    }

    private func startCurrent() {
        guard let slot = current else { return }
        current = nil
        if slot.isEmpty { return free.append(slot) }
        slot.start()
        inFlight.append(slot)
    }

    /// Writes all that is on its way.
    func drain() throws {
        startCurrent()
        while !inFlight.isEmpty { try writeFirst() }
    }

    private func writeFirst() throws {
        let slot = inFlight.removeFirst()
        try slot.wait()
        for part in slot.parts { try unsafe write(part, slot.packed(part)) }
        slot.clear()
        free.append(slot)
    }

    private func write(_ part: PackingPart, _ packed: UnsafeRawBufferPointer) throws {
        guard var record = part.beginning ?? open else { return }
        if part.beginning != nil {
            record.localOffset = offset
            record.hasDescriptor = !part.isLast
            if part.isLast {
                record.isWide = false
                record.compressedSize = Int64(packed.count)
                record.size = part.checksum.count
                record.checksum = part.checksum.value
                record.packedChecksum = part.packedChecksum.value
            }
            try write(record.localHeader)
        }
        if record.hasDescriptor {
            var checksum = Checksum(value: record.checksum, count: record.size)
            checksum.append(part.checksum)
            record.checksum = checksum.value
            record.size = checksum.count
            var packedChecksum = Checksum(value: record.packedChecksum, count: record.compressedSize)
            packedChecksum.append(part.packedChecksum)
            record.packedChecksum = packedChecksum.value
            record.compressedSize += Int64(packed.count)
        }
        try unsafe output.write(packed)
        offset += Int64(packed.count)
        open = part.isLast ? nil : record
        if part.isLast {
            try write(record.descriptor)
            directory += record.centralHeader
            entries += 1
            whenComplete?(ZipWrittenEntry(record))
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe output.write($0) }
        offset += Int64(bytes.count)
    }

    /// Writes the central directory, and makes a file durable.
    /// - Returns: the archive's size in bytes.
    /// - Throws: ``ZipError``; `FileError`.
    package func finish() throws -> Int64 {
        guard !isBroken else { throw Self.broken }
        try drain()
        let start = offset
        try write(directory)
        try write(ZipEnd.bytes(entries: entries, directoryOffset: start, directorySize: offset - start))
        return try output.finish()
    }
}
