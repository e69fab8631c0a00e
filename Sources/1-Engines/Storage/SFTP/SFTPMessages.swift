import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseFiles

/// What the program that leads to a server writes to its standard error. The user sees it at once, as if the program had our own;
/// the end of it is kept, because it alone says why there is no connection.
final class SFTPMessages: Sendable {
    private let kept = Mutex<[UInt8]>([])
    /// Whether the program has ended, so that nothing more is waited for.
    private let isOver = Atomic(false)
    private let isRead = Gate()

    /// In bytes. What ended a program is in its last lines.
    private static let most = 8 << 10

    /// - Parameter source: the reading end of a pipe, which is closed when no more comes.
    init(from source: FileDescriptor) {
        WorkerThread.start {
            self.read(source)
            try? source.close()
            self.isRead.signal()
        }
    }

    /// All that the program has written, once it has ended. What it left running, such as ssh's connection for the next
    /// programs, may keep the pipe open for hours: it is not waited for.
    func end() -> String {
        isOver.store(true, ordering: .releasing)
        if isRead.wait(atMost: .seconds(2)) { isRead.signal() }
        return kept.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private struct Enough: Error {}

    private func read(_ source: FileDescriptor) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        do {
            while true {
                var waits = 0
                let count = try unsafe buffer.withUnsafeMutableBytes { memory in
                    try unsafe source.read(into: memory) {
                        // What was written before the end is there already.
                        waits += 1
                        if waits > 1, isOver.load(ordering: .acquiring) { throw Enough() }
                    }
                }
                guard count > 0 else { return }
                keep(buffer[..<count])
                // Nobody may be there to see it.
                _ = try? FileDescriptor.standardError.writeAll(buffer[..<count])
            }
        } catch {}
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        kept.withLock { kept in
            kept += bytes
            if kept.count > Self.most { kept.removeFirst(kept.count - Self.most) }
        }
    }
}
