import CValiseZstd

/// Compresses files and blobs as restic does: the size of the content in the frame, no checksum, which the tag and the digest
/// make needless. For one thread.
@safe package struct ZstdCompressor: ~Copyable, Sendable {
    private let context: OwnedContext

    /// Measured: pages of chat databases become as small as at level 3, trees smaller, and text a sixteenth larger.
    private static let level: Int32 = 1

    /// - Throws: ``RepositoryError``: `failed` without memory.
    package init() throws(RepositoryError) {
        guard let context = unsafe OwnedContext(ZSTD_createCCtx(), free: { unsafe ZSTD_freeCCtx($0) }) else {
            throw .library("compress")
        }
        let settings: [(ZSTD_cParameter, Int32)] = [
            (ZSTD_c_compressionLevel, Self.level), (ZSTD_c_contentSizeFlag, 1), (ZSTD_c_checksumFlag, 0),
        ]
        for (name, value) in settings { try Self.set(name, value, in: context) }
        self.context = context
    }

    private static func set(
        _ name: ZSTD_cParameter, _ value: Int32, in context: borrowing OwnedContext
    ) throws(RepositoryError) {
        guard unsafe ZSTD_isError(ZSTD_CCtx_setParameter(context.pointer, name, value)) == 0 else {
            throw .library("compress")
        }
    }

    /// How much space is needed at most for so many bytes.
    package static func bound(_ count: Int) -> Int { ZSTD_compressBound(count) }

    /// Compresses bytes to one frame.
    /// - Returns: how long the frame is; nil where it does not fit into the output.
    /// - Throws: ``RepositoryError``: `failed`.
    package mutating func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) -> Int? {
        let result = unsafe ZSTD_compress2(
            context.pointer, output.baseAddress, output.count, input.baseAddress, input.count)
        guard ZSTD_isError(result) != 0 else { return result }
        guard ZSTD_getErrorCode(result) == ZSTD_error_dstSize_tooSmall else { throw .library("compress") }
        return nil
    }
}
