package import SystemPackage

/// A stretch of another source, read as if it were a file of its own.
package final class PartialSource: ByteSource {
    private let source: any ByteSource
    private let start: Int64
    package let size: Int64
    package let path: FilePath

    /// - Parameters:
    ///   - range: must lie inside the whole; what does not is read as the end.
    ///   - whole: the bytes that it is a part of.
    ///   - path: what errors call it.
    package init(_ range: Range<Int64>, of source: any ByteSource, path: FilePath) {
        self.source = source
        self.path = path
        start = range.lowerBound
        size = Int64(range.count)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        return try unsafe source.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: start + offset)
    }
}
