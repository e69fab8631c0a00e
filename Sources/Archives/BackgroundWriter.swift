import Dispatch
import Files
import Synchronization

/// Writes to a file on a thread of its own, so that packing and writing go on side by side.
///
/// A few buffers go round between the two; when all are on their way to the disk, the packer waits. A
/// failed write is reported by the next call, and nothing is written after it.
final class BackgroundWriter: @unchecked Sendable {
    /// Handed from the packer to the writer and back; only the one that has it touches its memory.
    private struct Buffer: @unchecked Sendable {
        let memory: UnsafeMutableRawBufferPointer
    }

    private struct State {
        var free: [Buffer]
        var failure: FileError?
    }

    /// Touched on the queue only, until `finish` has drained it.
    private var file: OpenFile
    private let queue = DispatchQueue(label: "valise.archive.writer")
    private let available: DispatchSemaphore
    private let state: Mutex<State>
    private let buffers: [Buffer]

    private static let bufferCount = 4
    private static let bufferSize = 1 << 20

    init(_ file: consuming OpenFile) {
        self.file = file
        buffers = (0..<Self.bufferCount).map { _ in
            Buffer(memory: .allocate(byteCount: Self.bufferSize, alignment: 4096))
        }
        available = DispatchSemaphore(value: Self.bufferCount)
        state = Mutex(State(free: buffers))
    }

    deinit {
        for buffer in buffers { buffer.memory.deallocate() }
    }

    /// The first write that failed.
    var failure: FileError? { state.withLock { $0.failure } }

    /// Takes the bytes; they may be reused when this returns.
    /// - Throws: ``FileError`` of this or an earlier write.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            if let failure { throw failure }
            let count = min(rest.count, Self.bufferSize)
            available.wait()
            let buffer = state.withLock { $0.free.removeLast() }
            buffer.memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            queue.async { self.store(buffer, count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func store(_ buffer: Buffer, _ count: Int) {
        if failure == nil {
            do throws(FileError) {
                try file.write(UnsafeRawBufferPointer(rebasing: buffer.memory[..<count]))
            } catch {
                state.withLock { $0.failure = error }
            }
        }
        state.withLock { $0.free.append(buffer) }
        available.signal()
    }

    /// Waits for all writes and makes the file durable.
    /// - Returns: its size in bytes.
    /// - Throws: ``FileError`` of any write, or of the flush.
    func finish() throws(FileError) -> Int64 {
        queue.sync {}
        if let failure { throw failure }
        try file.synchronize()
        return try file.size()
    }
}
