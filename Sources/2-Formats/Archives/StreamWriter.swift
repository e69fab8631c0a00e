/// Hands an archive on piece by piece, on the thread that makes it: a pipe waits for its reader, and an interrupt ends
/// that wait there alone.
@safe final class StreamWriter: ZipOutput {
    private let next: (UnsafeRawBufferPointer) throws -> Void
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var sent = 0
    private var total: Int64 = 0

    private static let bufferSize = 2 << 20

    init(_ next: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        unsafe self.next = unsafe next
        unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    }

    deinit { unsafe buffer.deallocate() }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe min(rest.count, buffer.count - filled)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
            if unsafe filled == buffer.count { try send() }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func write(upTo count: Int64, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Int {
        let end = unsafe filled + Int(min(count, Int64(buffer.count - filled)))
        let start = filled
        try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end]))
        filled = end
        if unsafe filled == buffer.count { try send() }
        return end - start
    }

    func mark(beforeBytes count: Int64) -> ZipOutputMark { ZipOutputMark(sent: sent, count: filled) }

    func undo(to mark: ZipOutputMark) -> Bool {
        guard mark.sent == sent else { return false }
        filled = mark.count
        return true
    }

    private func send() throws {
        try unsafe next(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        total += Int64(filled)
        sent += 1
        filled = 0
    }

    func finish() throws -> Int64 {
        if filled > 0 { try send() }
        return total
    }
}
