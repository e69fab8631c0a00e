import Synchronization
import ValiseConcurrency
import ValiseFiles

/// Writes to a file on a thread of its own, so that packing and writing go on side by side.
///
/// A few buffers go round between the two; when all are on their way to the disk, the packer waits. A
/// failed write is reported by the next call, and nothing is written after it.
final class BackgroundWriter: ZipOutput {
    /// Handed from the packer to the writer and back; only the one that has it touches its memory.
    private struct Buffer: Sendable {
        private let pages = TransferBuffer(byteCount: bufferSize)

        var memory: UnsafeMutableRawBufferPointer { unsafe pages.bytes }
    }

    /// What the writer's thread has: all of it locked for a moment, the file while it is written to.
    private final class Writer: Sendable {
        private struct State {
            var free: [Buffer]
            var failure: FileError?
        }

        let file: Mutex<OpenFile>
        private let state: Mutex<State>
        private let available = Gate(open: bufferCount)

        init(_ file: consuming OpenFile) {
            self.file = Mutex(file)
            state = Mutex(State(free: (0..<bufferCount).map { _ in Buffer() }))
        }

        var failure: FileError? { state.withLock { $0.failure } }

        /// Waits for a buffer.
        func take() -> Buffer {
            available.wait()
            return state.withLock { $0.free.removeLast() }
        }

        func store(_ buffer: Buffer, _ count: Int) {
            if failure == nil {
                do throws(FileError) {
                    try file.withLock { file throws(FileError) in
                        try unsafe file.write(UnsafeRawBufferPointer(rebasing: buffer.memory[..<count]))
                    }
                } catch {
                    state.withLock { $0.failure = error }
                }
            }
            state.withLock { $0.free.append(buffer) }
            available.signal()
        }

        /// Makes durable what was stored, and then does the work.
        func flush(_ then: () -> Void) {
            guard failure == nil else { return }
            do throws(FileError) {
                try file.withLock { file throws(FileError) in try file.synchronize() }
            } catch {
                state.withLock { $0.failure = error }
                return
            }
            then()
        }

        /// Goes on at a place, behind which nothing stays.
        func move(to offset: Int64) {
            guard failure == nil else { return }
            do throws(FileError) {
                try file.withLock { file throws(FileError) in
                    try file.truncate(to: offset)
                    try file.moveWriting(to: offset)
                }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    private let writer: Writer
    private let queue = SerialQueue()
    /// Taken by the packer and not full yet: small pieces go to the disk together.
    private var current: (buffer: Buffer, count: Int)?
    /// How many buffers went to the disk.
    private var sent = 0
    /// How much of the file went to the disk, or lay there before.
    private var sentBytes: Int64 = 0
    /// How much the buffer that is being filled takes: less where it begins in the midst of a block.
    private var limit = BackgroundWriter.bufferSize

    private static let bufferCount = 4
    /// An entry of a mebibyte fits in one with its header, and can be taken back.
    private static let bufferSize = TransferBuffer.pageSize
    /// What goes to the disk is a multiple of this, up to the end: so it can pass the system's cache.
    private static let blockSize = 4096

    init(_ file: consuming OpenFile) {
        var file = file
        file.passCache()
        writer = Writer(file)
    }

    /// The first write that failed.
    var failure: FileError? { writer.failure }

    /// Takes the bytes; they may be reused when this returns.
    /// - Throws: ``FileError`` of this or an earlier write.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            if let failure { throw failure }
            let (buffer, start) = current ?? (writer.take(), 0)
            let count = min(rest.count, limit - start)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.memory[start...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            current = (buffer, start + count)
            if start + count == limit { send() }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Lets up to so many bytes be filled in where they are written from.
    ///
    /// - Parameter fill: has to fill all of the buffer.
    /// - Returns: how many these were.
    /// - Throws: ``FileError`` of an earlier write; what `fill` throws, and nothing is taken then.
    func write(upTo count: Int64, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Int {
        if let failure { throw failure }
        let (buffer, start) = current ?? (writer.take(), 0)
        current = (buffer, start)
        let end = start + Int(min(count, Int64(limit - start)))
        try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: buffer.memory[start..<end]))
        current = (buffer, end)
        if end == limit { send() }
        return end - start
    }

    /// Sees to it that the next bytes, if they fit in a buffer at all, lie in one.
    func mark(beforeBytes count: Int64) -> ZipOutputMark {
        if let current, count > Int64(limit - current.count), count <= Int64(Self.bufferSize) {
            sendBlocks()
        }
        return ZipOutputMark(sent: sent, count: current?.count ?? 0)
    }

    /// Takes back what came since; false where some of it is on its way to the disk.
    func undo(to mark: ZipOutputMark) -> Bool {
        guard mark.sent == sent else { return false }
        if let (buffer, _) = current { current = (buffer, mark.count) }
        return true
    }

    /// Hands what was gathered to the writer.
    private func send() {
        guard let (buffer, count) = current else { return }
        current = nil
        sent += 1
        sentBytes += Int64(count)
        limit = Self.bufferSize
        queue.add { [writer] in writer.store(buffer, count) }
    }

    /// Hands the whole blocks to the writer; what is behind them begins the next buffer.
    private func sendBlocks() {
        guard let (buffer, count) = current, count >= Self.blockSize else { return }
        let rest = Int((sentBytes + Int64(count)) % Int64(Self.blockSize))
        guard rest > 0 else { return send() }
        let next = writer.take()
        unsafe next.memory.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: buffer.memory[count - rest..<count]))
        current = (buffer, count - rest)
        send()
        current = (next, rest)
    }

    // MARK: In the midst of a file

    /// Makes durable what was gathered, but for less than a block, and then does the work on the writer's thread. Does not wait.
    ///
    /// - Parameters:
    ///   - isLast: nothing is written after it, so that all of it goes.
    ///   - makeWork: gets how many bytes of the file that are, and makes the work, which is not done where a write or the
    ///     flush fails.
    func flush(isLast: Bool, _ makeWork: (Int64) -> @Sendable () -> Void) {
        if isLast { send() } else { sendBlocks() }
        let work = makeWork(sentBytes)
        queue.add { [writer] in writer.flush(work) }
    }

    /// Goes on at a place of the file, behind which nothing stays; what was gathered is written where it belongs.
    func move(to offset: Int64) {
        send()
        queue.add { [writer] in writer.move(to: offset) }
        sentBytes = offset
        limit = Self.bufferSize - Int(offset % Int64(Self.blockSize))
    }

    /// Waits for all that was handed to the writer.
    func wait() { queue.drain() }

    /// Writes what is left, waits for all writes and makes the file durable.
    /// - Returns: its size in bytes.
    /// - Throws: ``FileError`` of any write, or of the flush.
    func finish() throws(FileError) -> Int64 {
        send()
        queue.drain()
        if let failure { throw failure }
        return try writer.file.withLock { file throws(FileError) in
            try file.synchronize()
            return try file.size()
        }
    }
}
