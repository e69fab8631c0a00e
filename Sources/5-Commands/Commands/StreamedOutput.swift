import Valise

/// Standard output for results that may be large: buffered, and a failure to write ends the work.
final class StreamedOutput {
    private var buffer: [UInt8] = []
    private static let capacity = 64 << 10

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Hands on what is buffered.
    /// - Throws: ``ReaderGone`` where a pipe was closed; ``CommandError`` for anything else.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            _ = try FileDescriptor.standardOutput.writeAll(buffer)
        } catch Errno.brokenPipe {
            throw ReaderGone()
        } catch {
            throw CommandError.unwritable(error)
        }
    }
}
