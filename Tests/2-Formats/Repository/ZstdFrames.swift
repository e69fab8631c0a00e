/// Frames that a compressor does not write, after RFC 8878: blocks of one repeated byte, so that few bytes become many.
enum ZstdFrames {
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// The most that a block may have.
    private static let blockSize = 128 << 10

    /// - Parameters:
    ///   - count: how many bytes the frame becomes.
    ///   - claiming: the size in its head; nil for none.
    static func zeros(_ count: Int, claiming size: UInt64?) -> [UInt8] {
        var frame = magic
        if let size {
            // A single segment, whose size has eight bytes.
            frame.append(0xe0)
            frame += (0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(8 * $0)) }
        } else {
            // No size; a window of 1 MiB.
            frame += [0x00, 0x50]
        }
        var left = count
        repeat {
            let size = min(left, blockSize)
            left -= size
            // Bit 0 says that it is the last one, bits 1 and 2 that a byte is repeated.
            let head = UInt32(size) << 3 | 1 << 1 | (left == 0 ? 1 : 0)
            frame += (0..<3).map { UInt8(truncatingIfNeeded: head >> UInt32(8 * $0)) } + [0]
        } while left > 0
        return frame
    }

    /// A frame that claims a window of 2 TiB.
    static func hugeWindow() -> [UInt8] { magic + [0x00, 0xf8, 0x03, 0x00, 0x00, 0x00] }
}
