import SystemPackage
import ValiseFiles

/// Bytes of a file in memory.
final class MemorySource: ByteSource {
    let bytes: [UInt8]
    let path: FilePath = "bytes"
    var size: Int64 { Int64(bytes.count) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
