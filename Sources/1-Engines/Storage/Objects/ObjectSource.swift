import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseFiles

/// Bytes that are to be an object, and their digest, which whoever stores them compares. They can be read again from the start.
package struct ObjectSource: Sendable {
    package let bytes: any ByteSource
    /// SHA-256.
    package let digest: [UInt8]

    /// - Parameters:
    ///   - bytes: all of the object's.
    ///   - digest: SHA-256 that they have.
    package init(_ bytes: any ByteSource, digest: [UInt8]) {
        self.bytes = bytes
        self.digest = digest
    }

    /// In bytes.
    package var size: Int64 { bytes.size }

    private static let mostPieceBytes: Int64 = 256 << 10

    /// Hands all bytes over in their order.
    /// - Parameter take: gets pieces, which last for the call only.
    /// - Throws: ``StorageError``: `damaged` when all were handed over and do not have the digest; what the source throws, as one of
    ///   these; whatever `take` throws.
    package func forEachPiece(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        var hash = SHA256()
        try unsafe Self.forEachPiece(of: bytes, in: 0..<size, atMost: Self.mostPieceBytes) { piece in
            try unsafe take(piece)
            unsafe hash.update(piece)
        }
        guard hash.finalize() == digest else {
            throw StorageError(
                .general, .damaged, "the bytes do not have the digest that was announced", bytes.path.string)
        }
    }

    /// Hands the bytes of a range over in their order.
    /// - Parameter most: of a piece, in bytes.
    static func forEachPiece(
        of bytes: any ByteSource, in range: Range<Int64>, atMost most: Int64,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var buffer = [UInt8](repeating: 0, count: Int(min(Int64(range.count), most)))
        var place = range.lowerBound
        while place < range.upperBound {
            let count = Int(min(Int64(buffer.count), range.upperBound - place))
            try unsafe buffer.withUnsafeMutableBytes { memory in
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
                try reading { try unsafe bytes.fill(piece, at: place) }
                try unsafe take(UnsafeRawBufferPointer(piece))
            }
            place += Int64(count)
        }
    }

    /// All bytes in memory.
    /// - Throws: as ``forEachPiece(_:)``.
    package func content() throws -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(Int(size))
        try unsafe forEachPiece { unsafe content.append(contentsOf: $0) }
        return content
    }

    /// Failures to read the source have the type of the others.
    static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw StorageError(.general, error.code, error.message, error.path.string, cause: error)
        }
    }
}
