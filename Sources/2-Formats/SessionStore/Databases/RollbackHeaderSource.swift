import SystemPackage
import ValiseFiles

/// A database whose header is not encrypted and asks for a write-ahead log that is not there, or has nothing in it: the same
/// without that wish, so that it is read where it is.
///
/// The two bytes are part of no authentication code: SQLCipher's of the first page begins behind the plaintext header.
final class RollbackHeaderSource: ByteSource {
    private let source: any ByteSource

    /// Which version of the format a program needs to write, and to read: 1 is the rollback journal, 2 the write-ahead log.
    private static let versions: Range<Int64> = 18..<20

    init(_ source: any ByteSource) { self.source = source }

    var size: Int64 { source.size }
    var path: FilePath { source.path }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try unsafe source.read(into: buffer, at: offset)
        for place in Self.versions where place >= offset && place < offset + Int64(count) {
            let index = Int(place - offset)
            if unsafe buffer[index] == 2 { unsafe buffer[index] = 1 }
        }
        return count
    }
}
