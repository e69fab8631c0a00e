import CValiseZstd
import ValiseEncoding

/// Decompresses files and blobs of any writer; for one thread.
///
/// A frame of some bytes can claim, and become, any size. So nobody believes it: output grows with what is really in the frame,
/// up to a limit of the caller's, and no window is allocated, whose size the frame would choose.
@safe package struct ZstdDecompressor: ~Copyable, Sendable {
    private let context: OwnedContext

    /// The ratio up to which space is allocated before the content is seen to need it.
    private static let expectedRatio = 16
    private static let smallestOutput = 64 << 10
    private static let growth = 4
    /// What libzstd returns for a frame without a size, and for what is no frame; Swift does not import the macros.
    private static let unknownSize = UInt64.max
    private static let noFrame = UInt64.max - 1

    /// - Throws: ``RepositoryError``: `failed` without memory.
    package init() throws(RepositoryError) {
        guard let context = unsafe OwnedContext(ZSTD_createDCtx(), free: { unsafe ZSTD_freeDCtx($0) }) else {
            throw .library("decompress")
        }
        self.context = context
    }

    /// Decompresses what has exactly a known size.
    /// - Throws: ``RepositoryError``: `damaged` where it has another.
    package mutating func decompress(
        _ input: UnsafeRawBufferPointer, size: Int
    ) throws(RepositoryError) -> [UInt8] {
        let output = try unsafe decompress(input, limit: size)
        guard output.count == size else {
            throw RepositoryError(
                .damaged, "decompressed to \(Count.text(output.count, "byte")), expected \(size)")
        }
        return output
    }

    /// Decompresses what has exactly the size of the output.
    /// - Throws: ``RepositoryError``: `damaged` where it has another.
    mutating func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        let result = unsafe ZSTD_decompressDCtx(
            context.pointer, output.baseAddress, output.count, input.baseAddress, input.count)
        guard ZSTD_isError(result) == 0, result == output.count else { throw Self.damaged }
    }

    /// Decompresses what has at most `limit` bytes.
    /// - Throws: ``RepositoryError``: `damaged` where it has more, or is no frame.
    package mutating func decompress(
        _ input: UnsafeRawBufferPointer, limit: Int
    ) throws(RepositoryError) -> [UInt8] {
        let claimed = unsafe ZSTD_getFrameContentSize(input.baseAddress, input.count)
        guard claimed != Self.noFrame else { throw Self.damaged }
        guard claimed == Self.unknownSize || claimed <= UInt64(max(0, limit)) else {
            throw Self.tooLarge(limit)
        }
        let likely = min(input.count, limit / Self.expectedRatio) * Self.expectedRatio
        var capacity = min(limit, max(Self.smallestOutput, likely))
        if claimed != Self.unknownSize { capacity = min(capacity, Int(claimed)) }
        while true {
            if let output = try unsafe attempt(input, capacity) { return output }
            guard capacity < limit else { throw Self.tooLarge(limit) }
            capacity = min(limit, max(capacity, Self.smallestOutput) * Self.growth)
        }
    }

    /// Nil where there is more than the capacity.
    private mutating func attempt(
        _ input: UnsafeRawBufferPointer, _ capacity: Int
    ) throws(RepositoryError) -> [UInt8]? {
        var result = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            result = unsafe ZSTD_decompressDCtx(
                context.pointer, memory.baseAddress, capacity, input.baseAddress, input.count)
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        if ZSTD_isError(result) == 0 { return output }
        guard ZSTD_getErrorCode(result) == ZSTD_error_dstSize_tooSmall else { throw Self.damaged }
        return nil
    }

    private static let damaged = RepositoryError(.damaged, "the compressed content is damaged")

    private static func tooLarge(_ limit: Int) -> RepositoryError {
        RepositoryError(
            .damaged, "the compressed content has more than the expected \(Count.bytes(Int64(limit)))")
    }
}
