import Synchronization
import SystemPackage
import ValiseFiles

/// A source that tells how much was read, and is stopped by who is told. SQLCipher's own check of pages tells nothing.
final class WatchedSource: ByteSource {
    private struct State {
        var read: Int64 = 0
        var failure: (any Error)?
    }

    private let source: any ByteSource
    private let progress: @Sendable (Int64) throws -> Void
    private let state = Mutex(State())

    /// - Parameter progress: gets the bytes read so far; throw to stop.
    init(_ source: any ByteSource, _ progress: @escaping @Sendable (Int64) throws -> Void) {
        self.source = source
        self.progress = progress
    }

    var size: Int64 { source.size }
    var path: FilePath { source.path }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        // What stopped it stops whatever SQLite asks for next.
        try rethrow()
        do {
            let count = try unsafe source.read(into: buffer, at: offset)
            let read = state.withLock { state in
                state.read += Int64(count)
                return state.read
            }
            try progress(read)
            return count
        } catch {
            let (known, failure) = state.withLock { state in
                let known = state.failure
                state.failure = known ?? error
                return (known, error)
            }
            throw known ?? failure
        }
    }

    /// Throws what stopped the reading.
    func rethrow() throws {
        if let failure = state.withLock(\.failure) { throw failure }
    }
}
