import Dispatch

/// How a stretch of an entry gets into the archive.
enum PackingMethod: Sendable {
    case store, deflate
}

/// A stretch of one entry: all of a small one, or a mebibyte of a large one.
struct PackingPart: Sendable {
    /// Of the entry that begins here; nil in the middle of one.
    let beginning: ZipEntryRecord?
    let isLast: Bool
    let method: PackingMethod
    /// In the input.
    let range: Range<Int>
    /// In the output; in the input where nothing is deflated.
    var packedRange: Range<Int> = 0..<0
    var checksum = Checksum()
}

/// A mebibyte of content on its way through one core.
///
/// Either the writer has it, or its own thread has, between `start` and `wait`.
final class PackingSlot: @unchecked Sendable {
    private let input = UnsafeMutableRawBufferPointer.allocate(
        byteCount: BlockDeflater.stretchSize, alignment: 4096)
    private let output = UnsafeMutableRawBufferPointer.allocate(
        byteCount: BlockDeflater.bound(BlockDeflater.stretchSize) + mostParts * BlockDeflater.bound(0),
        alignment: 4096)
    private let level: Int
    private var deflater: BlockDeflater?
    private(set) var parts: [PackingPart] = []
    private var used = 0
    private var failure: (any Error)?
    /// A queue of its own has a thread of its own.
    private let queue = DispatchQueue(label: "valise.archive.packer")
    private let done = DispatchSemaphore(value: 0)

    private static let mostParts = 256

    init(level: Int) {
        self.level = level
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    var isEmpty: Bool { parts.isEmpty }

    /// What is not used yet of the input.
    var room: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: input[used...]) }

    /// Whether an entry's stretch of so many bytes fits behind those that are here.
    func hasRoom(for count: Int64) -> Bool {
        parts.count < Self.mostParts && count <= Int64(input.count - used)
    }

    /// The next `count` bytes of the room are a stretch.
    func add(_ count: Int, _ method: PackingMethod, of beginning: ZipEntryRecord?, isLast: Bool) {
        parts.append(
            PackingPart(beginning: beginning, isLast: isLast, method: method, range: used..<used + count))
        used += count
    }

    /// Packs the parts on the slot's own thread.
    func start() {
        queue.async { [self] in
            do { try pack() } catch { failure = error }
            done.signal()
        }
    }

    /// Waits for them.
    /// - Throws: ``ZipError``.
    func wait() throws {
        done.wait()
        if let failure { throw failure }
    }

    func clear() {
        parts.removeAll(keepingCapacity: true)
        used = 0
    }

    /// A part as it lies in the archive.
    func packed(_ part: PackingPart) -> UnsafeRawBufferPointer {
        let buffer = part.method == .deflate ? output : input
        return UnsafeRawBufferPointer(rebasing: buffer[part.packedRange])
    }

    private func pack() throws {
        var end = 0
        for (number, part) in parts.enumerated() {
            let bytes = UnsafeRawBufferPointer(rebasing: input[part.range])
            switch part.method {
            case .store:
                parts[number].packedRange = part.range
                parts[number].checksum = Checksum(bytes)
            case .deflate:
                let deflater = try self.deflater ?? BlockDeflater(level: level)
                self.deflater = deflater
                let room = UnsafeMutableRawBufferPointer(rebasing: output[end...])
                let count = try deflater.deflate(
                    bytes, isLast: part.isLast, isPartial: part.beginning == nil || !part.isLast, into: room)
                parts[number].packedRange = end..<end + count
                parts[number].checksum = Checksum(bytes)
                end += count
            }
        }
    }
}
