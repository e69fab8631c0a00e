import Synchronization
import ValiseFiles

/// A file that several threads append to, one after the other.
final class PartialOutput: Sendable {
    private let file: OpenFile
    private let end = Mutex<Int64>(0)

    init(_ file: consuming OpenFile) { self.file = file }

    /// Bytes until now.
    var length: Int64 { end.withLock { $0 } }

    /// - Throws: `FileError`.
    func append(_ bytes: ArraySlice<UInt8>) throws {
        let place = end.withLock { end in
            defer { end += Int64(bytes.count) }
            return end
        }
        try unsafe bytes.withUnsafeBytes { try unsafe file.write($0, at: place) }
    }

    /// - Throws: `FileError`.
    func synchronize() throws { try file.synchronize() }
}
