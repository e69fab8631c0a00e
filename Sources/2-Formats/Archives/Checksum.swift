import CValiseDeflate
import CValiseZlib

/// The CRC-32 of a stretch of bytes, which can be put together from those of its parts.
package struct Checksum: Sendable, Equatable {
    package private(set) var value: UInt32 = 0
    /// Of how many bytes.
    package private(set) var count: Int64 = 0

    package init() {}

    package init(_ bytes: UnsafeRawBufferPointer) {
        unsafe update(bytes)
    }

    init(value: UInt32, count: Int64) {
        self.value = value
        self.count = count
    }

    /// Adds bytes that follow.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // Without an address, libdeflate starts anew.
        guard let start = bytes.baseAddress else { return }
        value = unsafe libdeflate_crc32(value, start, bytes.count)
        count += Int64(bytes.count)
    }

    /// Adds the bytes that follow, of which only the checksum is known.
    package mutating func append(_ next: Checksum) {
        value = UInt32(truncatingIfNeeded: crc32_combine(UInt(value), UInt(next.value), Int(next.count)))
        count += next.count
    }
}
