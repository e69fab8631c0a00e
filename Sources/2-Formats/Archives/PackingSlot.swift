import ValiseConcurrency

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
    /// Of the bytes as they lie in the archive, where that is wanted.
    var packedChecksum = Checksum()
}

/// A mebibyte of content on its way through one core.
final class PackingSlot {
    private let slot: WorkerSlot<Packing>
    private var used = 0

    private static let mostParts = 256

    /// - Parameters:
    ///   - level: of Deflate, 1 to 9.
    ///   - checksPacked: whether each part gets the checksum of its packed bytes.
    init(level: Int, checksPacked: Bool) {
        slot = WorkerSlot(Packing(level: level, checksPacked: checksPacked, mostParts: Self.mostParts))
    }

    var parts: [PackingPart] { slot.work.parts }

    var isEmpty: Bool { slot.work.parts.isEmpty }

    /// What is not used yet of the input.
    var available: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: slot.work.input[used...])
    }

    /// Whether an entry's stretch of so many bytes fits behind those that are here.
    func hasSpace(for count: Int64) -> Bool {
        unsafe slot.work.parts.count < Self.mostParts && count <= Int64(slot.work.input.count - used)
    }

    /// The next `count` bytes of the space are a stretch.
    func add(_ count: Int, _ method: PackingMethod, of beginning: ZipEntryRecord?, isLast: Bool) {
        slot.work.parts.append(
            PackingPart(beginning: beginning, isLast: isLast, method: method, range: used..<used + count))
        used += count
    }

    /// Packs the parts on the slot's own thread.
    func start() { slot.start { try $0.pack() } }

    /// Waits for them.
    /// - Throws: ``ZipError``.
    func wait() throws { try slot.wait() }

    func clear() {
        slot.work.parts.removeAll(keepingCapacity: true)
        used = 0
    }

    /// A part as it lies in the archive.
    func packed(_ part: PackingPart) -> UnsafeRawBufferPointer {
        let work = slot.work
        let buffer = unsafe part.method == .deflate ? work.output : work.input
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[part.packedRange])
    }
}

/// What a ``PackingSlot`` works with.
@safe private final class Packing {
    let input = UnsafeMutableRawBufferPointer.allocate(
        byteCount: BlockDeflater.stretchSize, alignment: 4096)
    let output: UnsafeMutableRawBufferPointer
    var parts: [PackingPart] = []
    private let level: Int
    private let checksPacked: Bool
    private var deflater: BlockDeflater?

    init(level: Int, checksPacked: Bool, mostParts: Int) {
        self.level = level
        self.checksPacked = checksPacked
        unsafe output = .allocate(
            byteCount: BlockDeflater.bound(BlockDeflater.stretchSize) + mostParts * BlockDeflater.bound(0),
            alignment: 4096)
    }

    deinit {
        unsafe input.deallocate()
        unsafe output.deallocate()
    }

    func pack() throws {
        var end = 0
        for (number, part) in parts.enumerated() {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: input[part.range])
            switch part.method {
            case .store:
                parts[number].packedRange = part.range
                parts[number].checksum = unsafe Checksum(bytes)
                parts[number].packedChecksum = parts[number].checksum
            case .deflate:
                let deflater = try self.deflater ?? BlockDeflater(level: level)
                self.deflater = deflater
                let available = unsafe UnsafeMutableRawBufferPointer(rebasing: output[end...])
                let count = try unsafe deflater.deflate(
                    bytes, isLast: part.isLast, isPartial: part.beginning == nil || !part.isLast,
                    into: available)
                parts[number].packedRange = end..<end + count
                parts[number].checksum = unsafe Checksum(bytes)
                if checksPacked {
                    let packed = unsafe UnsafeRawBufferPointer(rebasing: output[end..<end + count])
                    parts[number].packedChecksum = unsafe Checksum(packed)
                }
                end += count
            }
        }
    }
}
