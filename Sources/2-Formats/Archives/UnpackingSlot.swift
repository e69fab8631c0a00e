import Dispatch
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
///
/// Either the reader has it, or its own thread has, between `start` and `wait`.
final class UnpackingSlot: @unchecked Sendable {
    enum Job {
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

    private let archive: any ByteSource
    private let unpacker: EntryUnpacker
    private let buffer = TransferBuffer(byteCount: capacity + WholeInflater.probeSize)
    private(set) var parts: [UnpackedPart] = []
    private(set) var job = Job.entries([])
    /// Its number, or that of the first one.
    private(set) var entry = 0
    private var failure: (any Error)?
    private let queue = DispatchQueue(label: "valise.archive.unpacker")
    private let done = DispatchSemaphore(value: 0)

    init(_ archive: any ByteSource) throws(ZipError) {
        self.archive = archive
        unpacker = try EntryUnpacker()
    }

    private var memory: UnsafeMutableRawBufferPointer { buffer.bytes }

    /// For packed bytes, with room for what proves the end of a stretch.
    var input: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: unpacker.input[..<(unpacker.input.count - WholeInflater.probeSize)])
    }

    var output: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[..<Self.capacity])
    }

    /// Unpacks on the slot's own thread, or on one that goes through an entry in order.
    func start(_ job: Job, of entry: Int, isLast: Bool, on queue: DispatchQueue? = nil) {
        self.job = job
        self.entry = entry
        (queue ?? self.queue).async { [self] in
            do { parts = try unpack(job, entry, isLast) } catch { failure = error }
            done.signal()
        }
    }

    /// Waits for the parts.
    /// - Throws: errors of the source; ``ZipError`` without memory.
    func wait() throws {
        done.wait()
        if let failure { throw failure }
    }

    private func unpack(_ job: Job, _ entry: Int, _ isLast: Bool) throws -> [UnpackedPart] {
        if case .entries(let entries) = job { return try unpack(entries) }
        var part = UnpackedPart(entry: entry, isLast: isLast)
        part.error = try noting {
            switch job {
            case .entries: break
            case .stored(let entry, let range):
                let bytes = UnsafeMutableRawBufferPointer(rebasing: output[..<range.count])
                guard
                    try entry.packedBytes(in: archive).read(into: bytes, at: range.lowerBound) == range.count
                else { throw entry.truncated }
                part.range = 0..<range.count
            case .stretch(let count, _):
                part.range = unpacker.inflateStretch(count, isLast: isLast, into: memory).map { 0..<$0 }
            case .serial(let run):
                part.range = 0..<(try run.next(into: output))
                part.isLast = run.isAtEnd
            case .damaged(let error): throw error
            }
        }
        if let range = part.range {
            part.checksum = Checksum(UnsafeRawBufferPointer(rebasing: memory[range]))
        }
        return [part]
    }

    private func unpack(_ entries: [(number: Int, ZipEntry)]) throws -> [UnpackedPart] {
        var end = 0
        return try entries.map { number, entry in
            var part = UnpackedPart(entry: number, isLast: true, range: end..<end + Int(entry.size))
            part.error = try noting {
                let room = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + Int(entry.size)])
                part.checksum = try unpacker.unpack(entry, in: archive, into: room)
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
