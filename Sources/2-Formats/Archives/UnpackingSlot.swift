import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// What came of an entry, or of a part of one.
struct UnpackedPart: Sendable {
    /// The number of the entry.
    let entry: Int
    var isLast: Bool
    /// In the slot's output; nil for a stretch that could not be unpacked by itself.
    var range: Range<Int>?
    var checksum = Checksum()
    var error: ZipError?
}

/// About a mebibyte of content on its way out of the archive, through one core.
final class UnpackingSlot {
    enum Job: Sendable {
        /// Small ones, whole.
        case entries([(number: Int, ZipEntry)])
        /// Bytes of a stored one.
        case stored(ZipEntry, Range<Int64>)
        /// So many bytes in the input are a stretch of a deflated one; where it begins.
        case stretch(count: Int, at: Int64)
        /// The next bytes of one that can only be unpacked in order.
        case serial(SerialInflation)
        /// There is nothing to unpack.
        case damaged(ZipError)
    }

    /// What the contents of all parts take at most.
    static let capacity = BlockDeflater.stretchSize

    private let slot: WorkerSlot<Unpacking>
    private(set) var job = Job.entries([])
    /// Its number, or that of the first one.
    private(set) var entry = 0

    init(_ archive: any ByteSource) throws(ZipError) { slot = WorkerSlot(try Unpacking(archive)) }

    /// What came, after ``wait()``.
    var parts: [UnpackedPart] { slot.work.parts }

    /// For packed bytes, with space for what proves the end of a stretch.
    var input: UnsafeMutableRawBufferPointer { unsafe slot.work.input }

    var output: UnsafeMutableRawBufferPointer { unsafe slot.work.output }

    /// Unpacks on the slot's own thread, or on one that goes through an entry in order.
    func start(_ job: Job, of entry: Int, isLast: Bool, on queue: SerialQueue? = nil) {
        self.job = job
        self.entry = entry
        slot.start(on: queue) { try $0.run(job, entry, isLast) }
    }

    /// Waits for the parts.
    /// - Throws: errors of the source; ``ZipError`` without memory.
    func wait() throws { try slot.wait() }
}

/// What an ``UnpackingSlot`` works with.
private final class Unpacking {
    private let archive: any ByteSource
    private let unpacker: EntryUnpacker
    private let buffer = TransferBuffer(byteCount: UnpackingSlot.capacity + OneShotInflater.probeSize)
    private(set) var parts: [UnpackedPart] = []

    init(_ archive: any ByteSource) throws(ZipError) {
        self.archive = archive
        unpacker = try EntryUnpacker()
    }

    private var memory: UnsafeMutableRawBufferPointer { unsafe buffer.bytes }

    var input: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(
            rebasing: unpacker.input[..<(unpacker.input.count - OneShotInflater.probeSize)])
    }

    var output: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<UnpackingSlot.capacity])
    }

    func run(_ job: UnpackingSlot.Job, _ entry: Int, _ isLast: Bool) throws {
        parts = try unpack(job, entry, isLast)
    }

    private func unpack(_ job: UnpackingSlot.Job, _ entry: Int, _ isLast: Bool) throws -> [UnpackedPart] {
        if case .entries(let entries) = job { return try unpack(entries) }
        var part = UnpackedPart(entry: entry, isLast: isLast)
        part.error = try noting {
            switch job {
            case .entries: break
            case .stored(let entry, let range):
                let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<range.count])
                guard
                    try unsafe entry.packedBytes(in: archive).read(into: bytes, at: range.lowerBound)
                        == range.count
                else { throw entry.truncated }
                part.range = 0..<range.count
            case .stretch(let count, _):
                part.range = unsafe unpacker.inflateStretch(count, isLast: isLast, into: memory).map {
                    0..<$0
                }
            case .serial(let run):
                part.range = unsafe 0..<(try run.next(into: output))
                part.isLast = run.isAtEnd
            case .damaged(let error): throw error
            }
        }
        if let range = part.range {
            part.checksum = unsafe Checksum(UnsafeRawBufferPointer(rebasing: memory[range]))
        }
        return [part]
    }

    private func unpack(_ entries: [(number: Int, ZipEntry)]) throws -> [UnpackedPart] {
        var end = 0
        return try entries.map { number, entry in
            var part = UnpackedPart(entry: number, isLast: true, range: end..<end + Int(entry.size))
            part.error = try noting {
                let available = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: memory[end..<end + Int(entry.size)])
                part.checksum = try unsafe unpacker.unpack(entry, in: archive, into: available)
            }
            end += Int(entry.size)
            return part
        }
    }

    /// Damage is the entry's; anything else ends the reading.
    private func noting(_ body: () throws -> Void) throws -> ZipError? {
        do {
            try body()
            return nil
        } catch let error as ZipError where error.code == .damaged {
            return error
        }
    }
}
