import Synchronization
public import SystemPackage
public import ValiseFiles

/// Bytes in memory as a source.
public final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    public let path: FilePath = "fuzzed"
    public var size: Int64 { Int64(bytes.count) }

    private let read = Atomic<Int64>(0)

    /// By all reads together.
    public var bytesRead: Int64 { read.load(ordering: .relaxed) }

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        FuzzRun.require(offset >= 0, "no source is read at \(offset)")
        guard offset < size else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        read.add(Int64(part.count), ordering: .relaxed)
        return part.count
    }
}
