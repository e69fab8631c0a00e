import ValiseArchives
import ValiseConcurrency
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a reader of libarchive gets its bytes from, front to back.
protocol ContainerInput: AnyObject {
    /// The next bytes, which are there until the next call; none at the end.
    /// - Throws: an error of the source; ``ContainerError``.
    func next() throws -> UnsafeRawBufferPointer

    /// Passes over as many of these bytes as it can without reading them.
    /// - Returns: how many these were.
    func skip(_ count: Int64) -> Int64

    /// Where the next bytes come from now; nil where that cannot be chosen.
    func seek(_ offset: Int64, from origin: Int32) -> Int64?
}

/// The bytes of an archive as they lie on the disk.
final class SourceInput: ContainerInput {
    private let source: any ByteSource
    private let checkpoint: (Int64) throws -> Void
    private let buffer = TransferBuffer(byteCount: SourceInput.pieceSize, inLargePages: false)
    private var position: Int64 = 0

    private static let pieceSize = 128 << 10

    /// - Parameter checkpoint: sees how far it is, in bytes; throw to stop.
    init(_ source: any ByteSource, _ checkpoint: @escaping (Int64) throws -> Void) {
        self.source = source
        self.checkpoint = checkpoint
    }

    private var memory: UnsafeMutableRawBufferPointer { unsafe buffer.bytes }

    func next() throws -> UnsafeRawBufferPointer {
        try checkpoint(position)
        let count = try unsafe source.read(into: memory, at: position)
        position += Int64(count)
        return unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
    }

    func skip(_ count: Int64) -> Int64 {
        let skipped = max(0, min(count, source.size - position))
        position += skipped
        return skipped
    }

    func seek(_ offset: Int64, from origin: Int32) -> Int64? {
        let start: Int64 =
            switch origin {
            case SEEK_CUR: position
            case SEEK_END: source.size
            default: 0
            }
        let (target, overflow) = start.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return nil }
        position = target
        return target
    }
}

/// What gzip, xz or zstd unpack to. It grows no more than an archive may.
final class PackedInput: ContainerInput {
    private let reader: LibraryReader
    private let kind: ContainerKind
    private let source: any ByteSource
    private let limits: ZipLimits
    private let buffer: TransferBuffer
    private var isOpen = false
    private var isAtEnd = false
    private var checksum = Checksum()

    private static let pieceSize = 128 << 10

    /// - Parameter inSmallPieces: whether what comes before a damage is worth more than time.
    init(
        _ source: any ByteSource, _ kind: ContainerKind, _ limits: ZipLimits, inSmallPieces: Bool,
        _ checkpoint: @escaping (Int64) throws -> Void
    ) throws(ContainerError) {
        buffer = TransferBuffer(
            byteCount: inSmallPieces ? ContainerReader.smallPiece : Self.pieceSize, inLargePages: false)
        self.source = source
        self.kind = kind
        self.limits = limits
        reader = try LibraryReader(SourceInput(source, checkpoint), unpacking: kind)
    }

    private var memory: UnsafeMutableRawBufferPointer { unsafe buffer.bytes }

    func next() throws -> UnsafeRawBufferPointer {
        if !isOpen { try open() }
        let count = isAtEnd ? 0 : try unsafe reader.readData(into: memory)
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
        unsafe checksum.update(bytes)
        guard !limits.isExceeded(by: checksum.count, compressedSize: source.size) else {
            throw ContainerError.tooMuchGrowth(limits)
        }
        if count == 0, !isAtEnd {
            isAtEnd = true
            try checkEnd()
        }
        return unsafe bytes
    }

    private func open() throws {
        isOpen = true
        guard try unsafe reader.nextHeader() != nil else {
            isAtEnd = true
            return try checkEnd()
        }
        switch reader.filterCount {
        case 2: break
        case 1: throw ContainerError.damaged(.data, "the \(kind.rawValue) header is damaged")
        default: throw ContainerError.unsupported(.severalPackings, "packed more than once")
        }
    }

    // MARK: What libarchive passes over

    private func checkEnd() throws {
        switch kind {
        case .gzip: try compareChecksum()
        case .xz: try requireFooter()
        default: break
        }
    }

    /// The checksum of gzip. Where the file is one stream, its end has the length too, and both can be compared; of several
    /// streams in a row only the last one tells.
    private func compareChecksum() throws {
        let end = try lastBytes(8)
        func number(_ range: Range<Int>) -> UInt32 {
            end[range].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard end.count == 8, number(4..<8) == UInt32(truncatingIfNeeded: checksum.count) else { return }
        guard number(0..<4) == checksum.value else {
            throw ContainerError.damaged(.checksum, "the checksum of the gzip stream is wrong")
        }
    }

    /// A stream of xz that is cut off is one that ends there.
    private func requireFooter() throws {
        let end = try lastBytes(4096)
        let padding = end.reversed().prefix { $0 == 0 }.count
        guard padding % 4 == 0, end.dropLast(padding).suffix(2).elementsEqual("YZ".utf8) else {
            throw ContainerError.damaged(
                .truncated, "truncated archive: the end of the xz stream is missing")
        }
    }

    private func lastBytes(_ count: Int64) throws -> [UInt8] {
        let count = min(count, source.size)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try unsafe bytes.withUnsafeMutableBytes { try unsafe source.fill($0, at: source.size - count) }
        return bytes
    }

    func skip(_ count: Int64) -> Int64 { 0 }

    func seek(_ offset: Int64, from origin: Int32) -> Int64? { nil }
}
