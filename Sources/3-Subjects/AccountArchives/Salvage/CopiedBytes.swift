import Synchronization
import SystemPackage
import ValiseArchives
import ValiseFiles

/// The packed bytes of an entry while they are copied: how many, and their checksum.
final class CopiedBytes: ByteSource {
    private let source: any ByteSource
    private let checksum = Mutex(Checksum())
    var size: Int64 { source.size }
    var path: FilePath { source.path }

    init(_ source: any ByteSource) { self.source = source }

    /// Of what was read so far, which is read from front to back.
    var read: Checksum { checksum.withLock { $0 } }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try unsafe source.read(into: buffer, at: offset)
        checksum.withLock { unsafe $0.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return count
    }
}
