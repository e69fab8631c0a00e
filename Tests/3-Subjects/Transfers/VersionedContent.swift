import Synchronization
import SystemPackage
import ValiseFiles
import ValiseTransfers

/// A content for uploads that changes, and cannot be read, when it is told to.
final class VersionedContent: ByteSource {
    struct Changed: Error {}
    struct Unreadable: Error {}

    private struct State {
        var isChanged = false
        var failing: Int64?
        var reads = 0
    }

    private let bytes: [UInt8]
    private let state = Mutex(State())
    let path = FilePath("content")

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: Int64 { Int64(bytes.count) }

    /// How often it was read.
    var reads: Int { state.withLock { $0.reads } }

    /// From now on it is another one.
    func change() { state.withLock { $0.isChanged = true } }

    /// From this place on it cannot be read; nil for everywhere it can.
    func fail(at offset: Int64?) { state.withLock { $0.failing = offset } }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try state.withLock { state in
            state.reads += 1
            if let failing = state.failing, offset + Int64(buffer.count) > failing { throw Unreadable() }
        }
        let count = min(buffer.count, bytes.count - Int(offset))
        buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
        return count
    }

    func check() throws {
        if state.withLock({ $0.isChanged }) { throw Changed() }
    }

    /// - Parameter version: each is another content to those who send it.
    func content(_ version: UInt8 = 1, id: String = "move:1:1") -> UploadContent {
        UploadContent(
            id: id, name: "account.zip", source: self, version: Array(repeating: version, count: 32),
            checkUnchanged: check)
    }
}
