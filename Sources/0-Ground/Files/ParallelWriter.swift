import Synchronization
package import SystemPackage
import ValiseFailures

/// A file that several threads write, each at its own place.
package final class ParallelWriter: Sendable {
    // Only written at given places, which any thread may do.
    private let file: OpenFile
    private let writtenBack = Mutex<Int64>(0)

    /// In large steps, for the reason that ``OpenFile`` gives.
    private static let writebackStep: Int64 = 64 << 20

    package init(_ file: consuming OpenFile) {
        self.file = file
    }

    /// Writes all of the buffer at `offset`.
    /// - Throws: ``FileError``; part of the buffer may have been written.
    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
        try unsafe file.write(buffer, at: offset)
    }

    /// Fills the buffer with what was written at `offset`. Once it was flushed and the cache dropped it comes from the medium.
    /// - Throws: ``FileError``, also where the file ends before.
    package func readBack(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try unsafe file.readPassingCache(into: rest, at: offset + Int64(filled))
            guard count > 0 else {
                throw FileError(.failed, "file is shorter than the data written to it", file.path)
            }
            filled += count
        }
    }

    /// Starts writing back what lies before `offset`, without waiting.
    package func startWriteback(upTo offset: Int64) {
        let range = writtenBack.withLock { start -> Range<Int64>? in
            guard offset - start >= Self.writebackStep else { return nil }
            defer { start = offset }
            return start..<offset
        }
        if let range { file.startWriteback(range) }
    }

    /// Starts writing back everything, without waiting.
    package func startWriteback() {
        file.startWriteback(0..<0)
    }

    /// Sets the modification time: seconds since 1970, and the rest of it in nanoseconds.
    /// - Throws: ``FileError``.
    package func setModificationTime(_ seconds: Int64, nanoseconds: Int64 = 0) throws(FileError) {
        try file.setModificationTime(seconds, nanoseconds: nanoseconds)
    }

    /// Sets the modification time where the file system can tell it: some take none from before 1970 or after 2106.
    ///
    /// - Parameter seconds: since 1970.
    /// - Throws: ``FileError``.
    package func setModificationTimeIfPossible(_ seconds: Int64) throws(FileError) {
        do throws(FileError) {
            try setModificationTime(seconds)
        } catch  where error.errno == .invalidArgument {}
    }

    /// Sets the permission bits, whatever the process's mask is.
    /// - Throws: ``FileError``.
    package func setPermissions(_ permissions: FilePermissions) throws(FileError) {
        try file.setPermissions(permissions)
    }

    /// Gives the file to a user and a group, by their numbers. The system lets only its administrator do that.
    /// - Throws: ``FileError``: `denied`.
    package func setOwner(_ owner: UInt32, group: UInt32) throws(FileError) {
        try file.setOwner(owner, group: group)
    }

    /// Makes what was written durable.
    /// - Throws: ``FileError``.
    package func synchronize() throws(FileError) {
        try file.synchronize()
    }

    /// Lets go of what the cache has of the file, see ``OpenFile/dropCache()``.
    package func dropCache() { file.dropCache() }
}
