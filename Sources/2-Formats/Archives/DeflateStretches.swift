import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Cuts a deflated stream behind the markers that a full flush leaves, without understanding it.
///
/// What looks like a marker may be none: whoever unpacks the stretches has to see whether they meet.
struct DeflateStretches {
    let packed: any ByteSource
    /// Where the next stretch begins.
    private(set) var position: Int64 = 0
    /// Markers before so many bytes are passed over.
    private var smallest = 0

    private static let step = 64 << 10
    private static let largest = 128 << 10
    private static let markerSize = BlockDeflater.marker.count

    init(_ packed: any ByteSource) {
        self.packed = packed
    }

    /// Reads the next stretch into the buffer.
    /// - Returns: its size, and whether it is the rest; nil when the buffer is too small for it.
    /// - Throws: errors of the source.
    mutating func next(into buffer: UnsafeMutableRawBufferPointer) throws -> (count: Int, isLast: Bool)? {
        var filled = 0
        while filled < buffer.count {
            let available = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[filled..<min(filled + Self.step, buffer.count)])
            let count = try unsafe packed.read(into: available, at: position + Int64(filled))
            let start = filled - Self.markerSize + 1
            filled += count
            let range = min(max(start, smallest), filled)..<filled
            if position + Int64(filled) >= packed.size || count < available.count {
                if let end = unsafe Self.marker(in: buffer, range), position + Int64(end) < packed.size {
                    position += Int64(end)
                    return (end, false)
                }
                position += Int64(filled)
                return (filled, true)
            }
            if let end = unsafe Self.marker(in: buffer, range) {
                position += Int64(end)
                return (end, false)
            }
        }
        return nil
    }

    /// Other writers flush more often: their stretches are taken together, so that each is worth a turn.
    mutating func adapt(to unpackedCount: Int) {
        if unpackedCount < BlockDeflater.stretchSize / 4 {
            smallest = min(max(1024, 2 * smallest), Self.largest)
        }
    }

    /// A stretch was too large.
    mutating func makeSmaller() { smallest /= 4 }

    /// Where a marker ends.
    private static func marker(in buffer: UnsafeMutableRawBufferPointer, _ range: Range<Int>) -> Int? {
        guard let base = buffer.baseAddress else { return nil }
        var place = range.lowerBound + 2
        while place + 1 < range.upperBound {
            guard let found = unsafe memchr(base + place, 0xff, range.upperBound - 1 - place) else {
                return nil
            }
            place = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if unsafe buffer[place + 1] == 0xff, unsafe buffer[place - 1] == 0, unsafe buffer[place - 2] == 0
            {
                return place + 2
            }
            place += 1
        }
        return nil
    }
}
