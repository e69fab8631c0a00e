import Synchronization

/// A file that several threads write, each at its own place.
public final class ParallelWriter: @unchecked Sendable {
    // Only written at given places, which any thread may do.
    private let file: OpenFile
    private let writtenBack = Mutex<Int64>(0)

    /// In large steps, for the reason that ``OpenFile`` gives.
    private static let writebackStep: Int64 = 64 << 20

    public init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// Writes all of the buffer at `offset`.
    /// - Throws: ``FileError``; part of the buffer may have been written.
    public func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        try file.write(buffer, at: offset)
    }

    /// Starts writing back what lies before `offset`, without waiting.
    public func startWriteback(upTo offset: Int64) {
        let range = writtenBack.withLock { start -> Range<Int64>? in
            guard offset - start >= Self.writebackStep else { return nil }
            defer { start = offset }
            return start..<offset
        }
        if let range { file.startWriteback(range) }
    }

    /// Starts writing back everything, without waiting.
    public func startWriteback() {
        file.startWriteback(0..<0)
    }

    /// Sets the modification time, in seconds since 1970.
    /// - Throws: ``FileError``.
    public func setModificationTime(_ seconds: Int64) throws(FileError) {
        try file.setModificationTime(seconds)
    }

    /// Makes what was written durable.
    /// - Throws: ``FileError``.
    public func synchronize() throws(FileError) {
        try file.synchronize()
    }
}
