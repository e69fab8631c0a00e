import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is read forward through a window, and now and then elsewhere.
@safe final class ZipBytes {
    let source: any ByteSource
    let size: Int64
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    private var start: Int64 = 0
    private var count = 0
    /// How many bytes may still be read for proofs and headers. A file made to be tried at every place, or of
    /// entries in entries, ends there.
    private var allowance: Int64
    private(set) var isExhausted = false

    /// Headers are far apart; more would be read for nothing.
    private static let headerStep = 4 << 10
    private static let mostReading: Int64 = 4
    private static let leastReading: Int64 = 1 << 20

    init(_ source: any ByteSource) {
        self.source = source
        size = source.size
        let (most, overflow) = size.multipliedReportingOverflow(by: Self.mostReading)
        allowance = overflow ? .max : most + Self.leastReading
    }

    /// Whether so much more may be read; counted as read then.
    func allows(_ count: Int64) -> Bool {
        guard !isExhausted, count <= allowance else {
            isExhausted = true
            return false
        }
        allowance -= count
        return true
    }

    deinit { unsafe window.deallocate() }

    /// Up to `wanted` bytes, at most 128 KiB: fewer where the file ends, and none when enough was read.
    func take(_ wanted: Int, at offset: Int64) throws -> [UInt8] {
        guard offset >= 0, offset < size, wanted > 0, allows(Int64(wanted)) else { return [] }
        if !holds(offset, wanted) { try load(offset, max(wanted, Self.headerStep)) }
        let position = Int(offset - start)
        let available = max(0, min(wanted, count - position))
        return unsafe Array(window[position..<position + available])
    }

    /// The signature at a place; nil at the end of the file.
    func signature(at offset: Int64) throws -> UInt32? {
        let bytes = try take(4, at: offset)
        guard bytes.count == 4 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The next place from `offset` on, and before `limit`, where a record of a zip file may start.
    /// - Parameter counted: whether the bytes count as read; for all but the one walk through the file.
    func nextSignature(from offset: Int64, limit: Int64, counted: Bool = false) throws -> Int64? {
        var position = offset
        while position + 4 <= limit {
            if !holds(position, 4) { try unsafe load(position, window.count) }
            let end = min(start + Int64(count), limit)
            guard end - position >= 4 else { return nil }
            let found = unsafe Self.search(
                UnsafeRawBufferPointer(rebasing: window[Int(position - start)..<Int(end - start)]))
            if counted, !allows(found.map(Int64.init) ?? end - position) { return nil }
            if let found { return position + Int64(found) }
            position = end - 3
        }
        return nil
    }

    private func holds(_ offset: Int64, _ wanted: Int) -> Bool {
        offset >= start && offset + min(Int64(wanted), size - offset) <= start + Int64(count)
    }

    private func load(_ offset: Int64, _ wanted: Int) throws {
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: window[..<min(wanted, window.count)])
        count = 0
        start = offset
        count = try unsafe source.read(into: target, at: offset)
    }

    /// By the letter P, which comes once in 256 bytes of packed data, with the C library's fastest search.
    private static func search(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var position = 0
        while bytes.count - position >= 4,
            let hit = unsafe memchr(base + position, 0x50, bytes.count - position - 3)
        {
            let found = unsafe UnsafeRawPointer(hit) - base
            if unsafe bytes[found + 1] == 0x4b, unsafe isKnown(bytes[found + 2], bytes[found + 3]) {
                return found
            }
            position = found + 1
        }
        return nil
    }

    private static func isKnown(_ third: UInt8, _ fourth: UInt8) -> Bool {
        switch (third, fourth) {
        case (1, 2), (3, 4), (5, 6), (7, 8), (6, 6), (6, 7): true
        default: false
        }
    }
}
