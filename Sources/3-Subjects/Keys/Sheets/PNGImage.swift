import CValiseZlib
import ValiseFailures
import ValiseSecrets

/// A PNG of one bit for each pixel: black modules on white (RFC 2083).
///
/// zlib works in memory that is wiped, as the image is as secret as what it shows.
enum PNGImage {
    /// The memory that zlib takes for this window and level is 48 KiB.
    private static let (window, level): (Int32, Int32) = (12, 5)
    private static let workspace = 128 << 10

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// - Parameters:
    ///   - margin: white modules around the code.
    ///   - scale: pixels of a module's side.
    /// - Throws: ``RecoverySheetError``; `SecretsError`.
    static func encode(_ code: borrowing QRCode, margin: Int, scale: Int) throws -> SecretBytes {
        let side = (code.width + 2 * margin) * scale
        // A filter byte, and eight pixels in a byte. Whatever zlib does, stored blocks are no longer than this.
        let available = side * (1 + (side + 7) / 8) * 9 / 8 + 4096
        return try unsafe SecretBytes(capacity: available) { memory in
            var count = unsafe write(signature, to: memory, at: 0)
            unsafe count += chunk("IHDR", to: memory, at: count) { body in
                let size = bigEndian(UInt32(side))
                // One bit, shades of gray, and the only methods that there are.
                return unsafe write(size + size + [1, 0, 0, 0, 0], to: body, at: 0)
            }
            unsafe count += try chunk("IDAT", to: memory, at: count) { body in
                try unsafe deflate(code, margin: margin, scale: scale, into: body)
            }
            return unsafe count + chunk("IEND", to: memory, at: count) { _ in 0 }
        }
    }

    // MARK: Chunks

    /// Length, type, content and the checksum of the last two.
    private static func chunk<E: Error>(
        _ type: String, to memory: UnsafeMutableRawBufferPointer, at start: Int,
        _ content: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        let (typed, body) = (start + 4, start + 8)
        _ = unsafe write(Array(type.utf8), to: memory, at: typed)
        let count = try unsafe content(
            UnsafeMutableRawBufferPointer(rebasing: memory[body..<(memory.count - 4)]))
        _ = unsafe write(bigEndian(UInt32(count)), to: memory, at: start)
        let checked = unsafe UnsafeRawBufferPointer(rebasing: memory[typed..<(body + count)])
        let sum = unsafe crc32(0, checked.bindMemory(to: UInt8.self).baseAddress, UInt32(checked.count))
        _ = unsafe write(bigEndian(UInt32(truncatingIfNeeded: sum)), to: memory, at: body + count)
        return count + 12
    }

    private static func write(
        _ bytes: [UInt8], to memory: UnsafeMutableRawBufferPointer, at start: Int
    ) -> Int {
        unsafe memory[start...].copyBytes(from: bytes)
        return bytes.count
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    // MARK: Pixels

    /// The stream of all lines, packed.
    private static func deflate(
        _ code: borrowing QRCode, margin: Int, scale: Int, into output: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        let side = (code.width + 2 * margin) * scale
        let lineSize = 1 + (side + 7) / 8
        var count = 0
        _ = try unsafe SecretBytes(capacity: workspace + lineSize) { memory in
            let line = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[workspace...])
            let stream = try unsafe Deflation(
                UnsafeMutableRawBufferPointer(rebasing: memory[..<workspace]), output)
            for row in -margin..<(code.width + margin) {
                unsafe draw(row, of: code, margin: margin, scale: scale, on: line)
                for _ in 0..<scale { try unsafe stream.add(UnsafeRawBufferPointer(line)) }
            }
            count = try stream.finish()
            // Nothing of it is kept.
            return 0
        }
        return count
    }

    /// One line of pixels: white is 1.
    private static func draw(
        _ row: Int, of code: borrowing QRCode, margin: Int, scale: Int,
        on line: UnsafeMutableRawBufferPointer
    ) {
        unsafe line.initializeMemory(as: UInt8.self, repeating: 0xff)
        unsafe line[0] = 0
        guard (0..<code.width).contains(row) else { return }
        code.forEachRun(in: row) { start, length in
            for pixel in ((margin + start) * scale)..<((margin + start + length) * scale) {
                unsafe line[1 + pixel / 8] &= ~(0x80 >> UInt8(pixel % 8))
            }
        }
    }

    // MARK: zlib

    /// Memory that zlib is given in turn, and that is wiped as a whole.
    @safe private struct Arena {
        var rest: UnsafeMutableRawBufferPointer

        mutating func take(_ count: Int) -> UnsafeMutableRawPointer? {
            let size = (count + 15) / 16 * 16
            guard unsafe size <= rest.count, let start = unsafe rest.baseAddress else { return nil }
            unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[size...])
            return unsafe start
        }
    }

    /// One stream, which zlib wants to find where it was. Its memory is the arena's, so that zlib has nothing to free.
    @safe private final class Deflation {
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private let arena = UnsafeMutablePointer<Arena>.allocate(capacity: 1)
        private let available: Int

        init(_ workspace: UnsafeMutableRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws {
            unsafe arena.initialize(to: Arena(rest: workspace))
            unsafe stream.initialize(to: z_stream())
            available = output.count
            unsafe stream.pointee.opaque = UnsafeMutableRawPointer(arena)
            unsafe stream.pointee.zalloc = { arena, items, size in
                unsafe arena?.assumingMemoryBound(to: Arena.self).pointee.take(Int(items) * Int(size))
            }
            unsafe stream.pointee.zfree = { _, _ in }
            unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(output.count)
            let status = unsafe deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, level, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard status == Z_OK else { throw Self.failed }
        }

        deinit {
            unsafe stream.deallocate()
            unsafe arena.deallocate()
        }

        func add(_ bytes: UnsafeRawBufferPointer) throws { try unsafe run(bytes, Z_NO_FLUSH, Z_OK) }

        /// - Returns: how many bytes were written.
        func finish() throws -> Int {
            try unsafe run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, Z_STREAM_END)
            return unsafe available - Int(stream.pointee.avail_out)
        }

        private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32, _ expected: Int32) throws {
            unsafe stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            unsafe stream.pointee.avail_in = UInt32(bytes.count)
            guard unsafe CValiseZlib.deflate(stream, flush) == expected, unsafe stream.pointee.avail_in == 0
            else {
                throw Self.failed
            }
        }

        private static let failed = RecoverySheetError(.failed, "cannot create the QR code image")
    }
}
