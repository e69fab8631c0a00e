import SystemPackage
import ValiseFiles

/// A small content in memory.
final class DecryptedBytes: ByteSource {
    private let bytes: [UInt8]
    let path: FilePath
    var size: Int64 { Int64(bytes.count) }

    init(_ bytes: [UInt8], _ path: FilePath) {
        self.bytes = bytes
        self.path = path
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let piece = bytes[Int(offset)...].prefix(buffer.count)
        unsafe buffer.copyBytes(from: piece)
        return piece.count
    }
}
