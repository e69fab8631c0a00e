#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// All that files and blobs of a repository are written and read with; for one thread, which reuses its contexts.
package struct RepositoryCodec: ~Copyable, Sendable {
    /// Version 1 has no compression.
    package let version: Int
    package var sealing: SealingContext
    package var compressor: ZstdCompressor
    package var decompressor: ZstdDecompressor
    /// What was opened and waits for its decompression.
    private var scratch: [UInt8] = []
    /// Some pages that were decompressed and are compared.
    private var plain: [UInt8] = []
    private static let keptPlain = 64 << 10
    /// More of it is not kept from one file to the next.
    private static let keptScratch = 16 << 20

    /// - Throws: ``RepositoryError``: `failed`; `SecretsError` when no guarded memory is available.
    package init(_ key: MasterKey, version: Int) throws {
        let sealing = try SealingContext(key)
        let compressor = try ZstdCompressor()
        let decompressor = try ZstdDecompressor()
        self.sealing = sealing
        self.compressor = compressor
        self.decompressor = decompressor
        self.version = version
    }

    /// Opens what was sealed and lends its content to a closure, with the decompressor.
    /// - Throws: ``RepositoryError``: `damaged`; whatever `body` throws.
    mutating func withOpened<Result>(
        _ sealed: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, inout ZstdDecompressor) throws -> Result
    ) throws -> Result {
        let size = max(0, sealed.count - SealingContext.overhead)
        if scratch.count < size { scratch = [UInt8](repeating: 0, count: size) }
        defer { if scratch.count > Self.keptScratch { scratch = [] } }
        return try unsafe scratch.withUnsafeMutableBytes { memory in
            let plain = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
            try unsafe sealing.open(sealed, into: plain)
            return try unsafe body(UnsafeRawBufferPointer(plain), &decompressor)
        }
    }

    /// Whether what was sealed opens to some content.
    /// - Throws: ``RepositoryError``: `damaged`; `failed`.
    mutating func opens(
        _ sealed: UnsafeRawBufferPointer, isCompressed: Bool, to content: UnsafeRawBufferPointer
    ) throws -> Bool {
        guard isCompressed else {
            return try unsafe withOpened(sealed) { opened, _ in unsafe Self.isEqual(opened, content) }
        }
        var plain: [UInt8] = []
        swap(&plain, &self.plain)
        defer { if plain.count <= Self.keptPlain { swap(&plain, &self.plain) } }
        if plain.count < content.count { plain = [UInt8](repeating: 0, count: content.count) }
        return try unsafe withOpened(sealed) { frame, decompressor in
            try unsafe plain.withUnsafeMutableBytes { memory in
                let output = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<content.count])
                try unsafe decompressor.decompress(frame, into: output)
                return unsafe Self.isEqual(UnsafeRawBufferPointer(output), content)
            }
        }
    }

    private static func isEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard let start = one.baseAddress, let end = other.baseAddress, one.count == other.count else {
            return unsafe one.isEmpty && other.isEmpty
        }
        return unsafe memcmp(start, end, one.count) == 0
    }
}
