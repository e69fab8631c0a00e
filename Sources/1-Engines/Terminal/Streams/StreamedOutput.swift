import Synchronization
import SystemPackage
import ValiseFiles

/// Standard output for results that may be large: buffered, and a failure to write ends the work.
package final class StreamedOutput: Sendable {
    private let buffer = Mutex<[UInt8]>([])
    private static let capacity = 64 << 10

    package init() {}

    /// - Throws: as ``flush()``.
    package func write(_ text: String) throws {
        let isFull = buffer.withLock { buffer in
            buffer.append(contentsOf: text.utf8)
            return buffer.count >= Self.capacity
        }
        if isFull { try flush() }
    }

    /// Hands on what is buffered.
    /// - Throws: `ReaderGone` where a pipe was closed; ``TerminalError`` for anything else.
    package func flush() throws {
        let bytes = buffer.withLock { buffer in
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        do {
            _ = try FileDescriptor.standardOutput.writeAll(bytes)
        } catch Errno.brokenPipe {
            throw ReaderGone()
        } catch {
            throw TerminalError.unwritable(error)
        }
    }
}
