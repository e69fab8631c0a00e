package import ValiseFiles

/// An open file whose content needs no verification of its own, or has it where it is read.
package final class ByteSourceFile: TreeFile {
    private let source: any ByteSource

    package init(_ source: any ByteSource) { self.source = source }

    package var size: Int64 { source.size }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int {
        try checkpoint()
        guard offset >= 0, offset < size else { return 0 }
        return try unsafe source.read(into: buffer, at: offset)
    }
}
