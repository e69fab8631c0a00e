/// Puts the stretches of a deflated entry together, which were unpacked side by side and without what is before
/// them. What comes is what unpacking in order gives, whatever the stretches are.
struct StretchJoin {
    private let entry: ZipEntry
    /// Goes on where a stretch ended in the middle of a block; nil between two blocks.
    private var inflater: Inflater?
    /// The last unpacked bytes, for a stretch that points to them.
    private var history: [UInt8] = []
    private(set) var done: Int64 = 0
    /// One after the other that could not be taken as they are.
    private var failures = 0

    /// So many in turn, and the next ones will not be different.
    private static let mostFailures = 4

    init(_ entry: ZipEntry) {
        self.entry = entry
    }

    /// Whether the rest is better unpacked in order.
    var isHopeless: Bool { failures >= Self.mostFailures }

    /// Takes the next stretch.
    ///
    /// - Parameters:
    ///   - slot: with the stretch in its input.
    ///   - emit: gets what comes, never more than the entry claims.
    /// - Throws: ``ZipError`` for damage; what `emit` throws.
    mutating func take(
        _ part: UnpackedPart, _ slot: UnpackingSlot, count: Int, at position: Int64,
        _ emit: (UnsafeRawBufferPointer, Checksum) throws -> Void
    ) throws {
        if inflater == nil, let range = part.range {
            failures = 0
            return try unsafe pass(UnsafeRawBufferPointer(rebasing: slot.output[range]), part.checksum, emit)
        }
        failures += 1
        let inflater = try resumed(at: position)
        var rest = unsafe UnsafeRawBufferPointer(rebasing: slot.input[..<count])
        while !inflater.isAtEnd {
            let (consumed, produced) = try unsafe inflater.inflate(rest, into: slot.output, entry: entry.name)
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: slot.output[..<produced])
            try unsafe pass(bytes, Checksum(bytes), emit)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[consumed...])
            if unsafe rest.isEmpty, unsafe produced < slot.output.count { break }
        }
        if inflater.isAtEnd {
            guard part.isLast, unsafe rest.isEmpty else { throw entry.endsEarly }
        } else if part.isLast {
            throw Inflater.damage(entry.name)
        }
        self.inflater = inflater.isBetweenBlocks ? nil : inflater
    }

    /// What goes on in order behind the last stretch.
    /// - Throws: ``ZipError`` without memory.
    func resumed(at position: Int64) throws(ZipError) -> Inflater {
        guard let inflater = inflater ?? Inflater(at: position, history: history) else { throw .noMemory }
        return inflater
    }

    private mutating func pass(
        _ bytes: UnsafeRawBufferPointer, _ checksum: Checksum,
        _ emit: (UnsafeRawBufferPointer, Checksum) throws -> Void
    ) throws {
        guard Int64(bytes.count) <= entry.size - done else { throw entry.tooLong }
        try unsafe emit(bytes, checksum)
        done += Int64(bytes.count)
        if bytes.count >= Inflater.historySize {
            history = unsafe Array(bytes.suffix(Inflater.historySize))
        } else {
            history = unsafe (history + bytes).suffix(Inflater.historySize)
        }
    }
}
